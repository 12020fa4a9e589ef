// Draws a picture as an SVG document, for export: the same shapes as on the canvas, as text.
import { arc } from 'd3-shape';
import { FONT_FAMILY, FONT_SIZE, type Label, type Pen, type Shape } from './drawing-pen.ts';
import { shownName } from './name-trimming.ts';

const sector = arc<{ innerRadius: number; outerRadius: number; startAngle: number; endAngle: number }>().digits(2);

/** Characters that XML does not allow at all, and that `shownName` leaves. */
const NOT_XML = /[\p{Cs}\ufffe\uffff]/gu;
const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** As the value of an attribute or as text. */
function escaped(text: string): string {
  return shownName(text)
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"]/g, mark => MARKS[mark]!);
}

const short = (length: number): string => String(Math.round(length * 100) / 100);

function outlineOf(shape: Shape): string {
  if (shape.kind === 'rectangle') {
    const { x, y, width, height } = shape;
    return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
  }
  const path = sector({
    innerRadius: shape.inner,
    outerRadius: shape.outer,
    // The library counts angles from the top.
    startAngle: shape.from + Math.PI / 2,
    endAngle: shape.to + Math.PI / 2,
  });
  return `<path transform="translate(${short(shape.x)} ${short(shape.y)})" d="${path ?? ''}"`;
}

type SvgDocument = {
  readonly pen: Pen;
  /** Later shapes are drawn so many pixels further down. */
  readonly moveTo: (top: number) => void;
  readonly text: () => string;
};

export function svgDocument(
  size: { readonly width: number; readonly height: number },
  background: string,
  title: string,
  widthOf: (text: string) => number,
): SvgDocument {
  const parts: string[] = [];
  const hatches = new Map<string, string>();
  const hatchOf = (colour: string): string => {
    const known = hatches.get(colour) ?? `hatch${hatches.size}`;
    hatches.set(colour, known);
    return known;
  };
  const pen: Pen = {
    fill: (shape, colour) => parts.push(`${outlineOf(shape)} fill="${escaped(colour)}"/>`),
    hatch: (shape, colour) => parts.push(`${outlineOf(shape)} fill="url(#${hatchOf(colour)})"/>`),
    outline: (shape, colour, width) =>
      parts.push(`${outlineOf(shape)} fill="none" stroke="${escaped(colour)}" stroke-width="${short(width)}"/>`),
    write: ({ text, x, y, align, turn, colour }: Label) => {
      const anchor = align === 'center' ? ' text-anchor="middle"' : '';
      const place = `translate(${short(x)} ${short(y)})${turn === 0 ? '' : ` rotate(${short((turn * 180) / Math.PI)})`}`;
      parts.push(
        `<text transform="${place}" dominant-baseline="central"${anchor} fill="${colour}">${escaped(text)}</text>`,
      );
    },
    widthOf,
  };
  const moveTo = (top: number): void => {
    if (parts.length > 0) parts.push('</g>');
    parts.push(`<g transform="translate(0 ${short(top)})">`);
  };
  const text = (): string => {
    const patterns = [...hatches].map(
      ([colour, id]) =>
        `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line y2="6" stroke="${colour}" stroke-width="2"/></pattern>`,
    );
    const { width, height } = size;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(FONT_FAMILY)}" font-size="${FONT_SIZE}">`,
      `<title>${escaped(title)}</title><defs>${patterns.join('')}</defs>`,
      `<rect width="100%" height="100%" fill="${background}"/>`,
      ...parts,
      ...(parts.length > 0 ? ['</g>'] : []),
      '</svg>\n',
    ].join('\n');
  };
  return { pen, moveTo, text };
}
