export { generate } from "lean-qr/nano";
export { toSvgPath } from "lean-qr/extras/svg";
export type * from "lean-qr";
