// Tells a player that it is their turn: by a sound, by a notification where browsers allow them.
import { keepSetting, setting } from "../places.js";
import { h, signal } from "../vendor/preact.js";
import { FRAME, TABLE } from "../words.js";

const hasSound = signal(setting("sound") === "on");
const notifies = signal(setting("notify") === "on" && canNotify() && Notification.permission === "granted");

/** Browsers have none on a page that came by plain http. */
function canNotify() {
  return isSecureContext && "Notification" in window;
}

/** @type {AudioContext | null} */
let audio = null;

/** Two bells, one after the other. Browsers allow none on a page that nobody has touched since it was loaded. */
function ring() {
  if (navigator.userActivation?.hasBeenActive === false) return;
  try {
    audio ??= new AudioContext();
    void audio.resume(); // a phone that was in a pocket has stopped it
    const now = audio.currentTime;
    for (const [index, tone] of [523, 784].entries()) {
      const [source, loud] = [audio.createOscillator(), audio.createGain()];
      source.frequency.value = tone;
      loud.gain.setValueAtTime(0.15, now + 0.18 * index);
      loud.gain.exponentialRampToValueAtTime(0.001, now + 0.18 * index + 0.6);
      source.connect(loud).connect(audio.destination);
      source.start(now + 0.18 * index);
      source.stop(now + 0.18 * index + 0.6);
    }
  } catch {
    // A device without sound.
  }
}

/**
 * Tell whoever wants to be told.
 * @param {string} words
 */
export function notify(words) {
  if (hasSound.value) ring();
  if (!notifies.value || !document.hidden) return;
  try {
    new Notification(FRAME.title, { body: words, tag: "omenlog" });
  } catch {
    // Some phones allow them to service workers alone.
  }
}

/** What a player may switch on. */
export function Calls() {
  const toggleSound = () => {
    hasSound.value = !hasSound.value;
    keepSetting("sound", hasSound.value ? "on" : "off");
    if (hasSound.value) ring();
  };
  const toggleNotify = async () => {
    notifies.value = !notifies.value && (await Notification.requestPermission()) === "granted";
    keepSetting("notify", notifies.value ? "on" : "off");
  };
  return [
    h(
      "button",
      {
        type: "button",
        "aria-pressed": hasSound.value,
        "aria-label": TABLE.sound,
        title: TABLE.sound,
        onClick: toggleSound,
      },
      "♪",
    ),
    canNotify() &&
      h(
        "button",
        {
          type: "button",
          "aria-pressed": notifies.value,
          "aria-label": TABLE.notify,
          title: TABLE.notify,
          onClick: () => void toggleNotify(),
        },
        "◉",
      ),
  ];
}
