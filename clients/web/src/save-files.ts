// Saves what is shown: the picture as SVG or PNG, and the samples that are looked at in the formats of other programs.
import { problemOf } from './ask.ts';
import { widthOfText } from './canvas-pen.ts';
import { describeBox } from './descriptions.ts';
import { inksNow } from './inks.ts';
import { ask, data, failure, hasForcedColours, look, say, theme } from './page-state.ts';
import { paint } from './paint.ts';
import type { PictureModel } from './picture-model.ts';
import { sceneOf } from './scene-now.ts';
import { svgDocument } from './svg-pen.ts';

function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  say(`Saved as ${name}.`);
}

function fileName(ending: string): string {
  const { program = 'insitu', version = '' } = data.value ?? {};
  return `${`${program}-${version}`.replace(/[^\w.-]+/g, '-').replace(/-$/, '')}.${ending}`;
}

export async function exportPicture(model: PictureModel, format: 'svg' | 'png'): Promise<void> {
  const scene = sceneOf(model);
  if (scene === null) return say('There is no picture yet.');
  const { width, height } = model.size.value;
  if (format === 'svg') {
    const { background } = inksNow(theme.value, hasForcedColours.value);
    const svg = svgDocument({ width, height }, background, describeBox(scene.frame, 0), widthOfText);
    paint(svg.pen, { ...scene, selected: -1, hovered: -1 });
    save(fileName('svg'), new Blob([svg.text()], { type: 'image/svg+xml' }));
    return;
  }
  const canvas = document.querySelector<HTMLCanvasElement>('.picture canvas');
  const content = await new Promise<Blob | null>(resolve => (canvas === null ? resolve(null) : canvas.toBlob(resolve)));
  if (content !== null) save(fileName('png'), content);
}

export async function exportSelection(format: 'speedscope' | 'pprof' | 'collapsed'): Promise<void> {
  try {
    const { name, type, base64 } = await ask({ ask: 'export', look: look.value, format });
    save(name, new Blob([Uint8Array.from(atob(base64), character => character.charCodeAt(0))], { type }));
  } catch (error) {
    failure.value = problemOf(error);
  }
}
