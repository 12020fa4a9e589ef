// Saves what is shown: the picture as SVG or PNG, and the samples that are looked at in the formats of other programs.
import { problemOf } from './ask.ts';
import { canvasPen, widthOfText } from './canvas-pen.ts';
import { describeBox } from './descriptions.ts';
import { inksNow } from './inks.ts';
import { ask, data, failure, hasForcedColours, look, say, theme } from './page-state.ts';
import type { SaveFile } from './page-types.ts';
import { paint } from './paint.ts';
import { picturesShown } from './pictures-shown.ts';
import { sceneOf } from './scene-now.ts';
import { svgDocument } from './svg-pen.ts';

/** Pixels between two pictures. */
const GAP = 8;

let saveFile: SaveFile = async (name, content) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return `Saved as ${name}.`;
};

/** For pages that cannot download, as in a webview of an editor. */
export function saveBy(other: SaveFile): void {
  saveFile = other;
}

async function save(name: string, content: Blob): Promise<void> {
  say(await saveFile(name, content));
}

function fileName(ending: string): string {
  const { program = 'insitu', version = '' } = data.value ?? {};
  return `${`${program}-${version}`.replace(/[^\w.-]+/g, '-').replace(/-$/, '')}.${ending}`;
}

/** All pictures on the page below each other: of a sandwich the callers and the callees. */
export async function exportPicture(format: 'svg' | 'png'): Promise<void> {
  const scenes = picturesShown.value.flatMap(model => {
    const scene = sceneOf(model);
    return scene === null ? [] : [{ scene: { ...scene, selected: -1, hovered: -1 }, ...model.size.value }];
  });
  const [first] = scenes;
  if (first === undefined) return say('There is no picture yet.');
  const width = Math.max(...scenes.map(each => each.width));
  const height = scenes.reduce((sum, each) => sum + each.height, GAP * (scenes.length - 1));
  const { background } = inksNow(theme.value, hasForcedColours.value);
  const title = describeBox(first.scene.frame, 0);
  const svg = format === 'svg' ? svgDocument({ width, height }, background, title, widthOfText) : null;
  const canvas = svg === null ? blankCanvas(width, height, background) : null;
  let top = 0;
  for (const { scene, height: own } of scenes) {
    svg?.moveTo(top);
    canvas?.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, top * devicePixelRatio);
    const pen = svg?.pen ?? (canvas === null ? null : canvasPen(canvas, devicePixelRatio));
    if (pen !== null) paint(pen, scene);
    top += own + GAP;
  }
  if (svg !== null) return save(fileName('svg'), new Blob([svg.text()], { type: 'image/svg+xml' }));
  const content = await new Promise<Blob | null>(resolve => canvas?.canvas.toBlob(resolve));
  if (content !== null) await save(fileName('png'), content);
}

function blankCanvas(width: number, height: number, background: string): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio];
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) return null;
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  return context;
}

export async function exportSelection(format: 'speedscope' | 'pprof' | 'collapsed'): Promise<void> {
  try {
    const { name, type, base64 } = await ask({ ask: 'export', look: look.value, format });
    await save(name, new Blob([Uint8Array.from(atob(base64), character => character.charCodeAt(0))], { type }));
  } catch (error) {
    failure.value = problemOf(error);
  }
}
