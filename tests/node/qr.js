export { generate } from "lean-qr";
export { toSvgPath } from "lean-qr/extras/svg";
