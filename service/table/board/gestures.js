// Moving about the house: drag, pinch, wheel, and what buttons and keys ask for. The camera moves one element by a transform, past Preact.

/** @typedef {import("./layout.js").Box} Box */

/** Least and most zoom. */
const LEAST = 0.3;
const MOST = 3;
/** Pixels that a finger may tremble without dragging. */
const TREMBLE = 6;
/** As much of the house as always stays in sight. */
const IN_SIGHT = 64;
/** Pixels between what is shown and the edge of the frame. */
const CLEARANCE = 12;
/** Milliseconds after which a finger that rests asks for a look. */
const REST = 500;
/** Milliseconds after which the house has come to rest. */
const SETTLED = 200;

/** Looks at a house that is larger than its frame. */
export class Camera {
  x = 0;
  y = 0;
  zoom = 1;
  /** How large the house is, at zoom 1. */
  size = { width: 1, height: 1 };
  /** Whether somebody moved it by hand. */
  moved = false;
  /** @type {Map<number, {x: number, y: number}>} */
  #fingers = new Map();
  #dragged = false;
  #rest = 0;
  #moving = 0;
  #leave = new AbortController();

  /**
   * @param {HTMLElement} frame
   * @param {HTMLElement} world
   * @param {{onDrag: () => void, onRest: (target: Element) => void}} told
   */
  constructor(frame, world, { onDrag, onRest }) {
    this.frame = frame;
    this.world = world;
    this.onDrag = onDrag;
    this.onRest = onRest;
    const { signal } = this.#leave;
    frame.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    frame.addEventListener("pointermove", (event) => this.#move(event), { signal });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      frame.addEventListener(name, (event) => this.#up(event), { signal });
    }
    frame.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    frame.addEventListener("click", (event) => this.#click(event), { signal, capture: true });
    frame.addEventListener("contextmenu", (event) => this.#asked(event), { signal });
  }

  /** Let go of the frame. */
  leave() {
    clearTimeout(this.#rest);
    clearTimeout(this.#moving);
    this.#leave.abort();
  }

  /**
   * @param {number} across
   * @param {number} down
   */
  pan(across, down) {
    this.#put(this.x + across, this.y + down, this.zoom);
  }

  /**
   * Zoom by a factor; the point of the frame stays where it is, its middle if none is given.
   * @param {number} factor
   * @param {number} [x]
   * @param {number} [y]
   */
  zoomBy(factor, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2) {
    const zoom = Math.min(MOST, Math.max(LEAST, this.zoom * factor));
    const by = zoom / this.zoom;
    this.#put(x - (x - this.x) * by, y - (y - this.y) * by, zoom);
  }

  /**
   * Show all of the house, or as much as can be read around a box.
   * @param {Box | null} around
   * @param {number} [least] the least zoom at which it can be read
   */
  fit(around, least = LEAST) {
    const [wide, high] = [this.frame.clientWidth, this.frame.clientHeight];
    const whole = Math.min(wide / this.size.width, high / this.size.height, 1.4);
    if (whole >= least || !around) {
      this.#put((wide - this.size.width * whole) / 2, (high - this.size.height * whole) / 2, whole);
    } else {
      this.center(around, least);
    }
  }

  /**
   * Have a box in the middle, as far as the house reaches beyond the frame.
   * @param {Box} box
   * @param {number} [zoom]
   */
  center(box, zoom = this.zoom) {
    /**
     * @param {number} frame
     * @param {number} house
     * @param {number} middle
     */
    const from = (frame, house, middle) =>
      house <= frame ? (frame - house) / 2 : Math.min(0, Math.max(frame - house, frame / 2 - middle));
    const { clientWidth, clientHeight } = this.frame;
    this.#put(
      from(clientWidth, this.size.width * zoom, (box.x + box.width / 2) * zoom),
      from(clientHeight, this.size.height * zoom, (box.y + box.height / 2) * zoom),
      zoom,
    );
  }

  /**
   * Move as little as it takes to have a box of the frame in sight.
   * @param {Box} box
   */
  reveal({ x, y, width, height }) {
    const across = x < CLEARANCE ? CLEARANCE - x : Math.min(0, this.frame.clientWidth - CLEARANCE - x - width);
    const down = y < CLEARANCE ? CLEARANCE - y : Math.min(0, this.frame.clientHeight - CLEARANCE - y - height);
    if (across || down) this.pan(across, down);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} zoom
   */
  #put(x, y, zoom) {
    this.zoom = zoom;
    this.x = Math.min(this.frame.clientWidth - IN_SIGHT, Math.max(IN_SIGHT - this.size.width * zoom, x));
    this.y = Math.min(this.frame.clientHeight - IN_SIGHT, Math.max(IN_SIGHT - this.size.height * zoom, y));
    const { style } = this.world;
    style.transform = `translate(${this.x.toFixed(1)}px, ${this.y.toFixed(1)}px) scale(${zoom.toFixed(4)})`;
    // A layer of its own while it moves, which costs no painting; drawn sharp again where it comes to rest.
    style.willChange = "transform";
    clearTimeout(this.#moving);
    this.#moving = setTimeout(() => {
      style.willChange = "";
    }, SETTLED);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button > 0 || (event.target instanceof Element && event.target.closest(".look"))) return;
    if (!this.#fingers.size) this.#dragged = false;
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    clearTimeout(this.#rest);
    const { target } = event;
    if (event.pointerType === "touch" && this.#fingers.size === 1 && target instanceof Element) {
      this.#rest = setTimeout(() => {
        this.#dragged = true;
        this.onRest(target);
      }, REST);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const [across, down] = [now.x - before.x, now.y - before.y];
    if (!this.#dragged && Math.hypot(across, down) < TREMBLE) return;
    clearTimeout(this.#rest);
    if (!this.#dragged) this.onDrag();
    this.#dragged = true;
    this.moved = true;
    if (!this.frame.hasPointerCapture(event.pointerId)) this.frame.setPointerCapture(event.pointerId);
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.#fingers.set(event.pointerId, now);
    if (!other) {
      this.pan(across, down);
      return;
    }
    const edge = this.frame.getBoundingClientRect();
    const apart = Math.hypot(before.x - other.x, before.y - other.y) || 1;
    this.zoomBy(
      Math.hypot(now.x - other.x, now.y - other.y) / apart,
      (now.x + other.x) / 2 - edge.left,
      (now.y + other.y) / 2 - edge.top,
    );
    this.pan(across / 2, down / 2);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    clearTimeout(this.#rest);
    this.#fingers.delete(event.pointerId);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const edge = this.frame.getBoundingClientRect();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
    this.moved = true;
    this.onDrag();
    this.zoomBy(Math.exp(-pixels / 400), event.clientX - edge.left, event.clientY - edge.top);
  }

  /**
   * The click that ends a drag picks nothing.
   * @param {MouseEvent} event
   */
  #click(event) {
    if (!this.#dragged || event.detail === 0) return;
    event.stopPropagation();
    event.preventDefault();
    this.#dragged = false;
  }

  /** @param {MouseEvent} event */
  #asked(event) {
    event.preventDefault();
    if (event.target instanceof Element && !this.#dragged) this.onRest(event.target);
  }
}
