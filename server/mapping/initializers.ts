// Attributes lines of `<clinit>` and `<init>` to the initialiser blocks, field initialisers and enum constants they run.
import { describeType } from './constructors.ts';
import { type Frame, found, type Resolution } from './frame.ts';
import { bestByLines } from './observed-lines.ts';
import type { OutlineIndex, TypeIndex } from './outline-index.ts';
import { ambiguous } from './overloads.ts';

/** The static initialiser on the frame's line; without a line the only one, or the type's header when there are several. */
export function resolveStaticInitializer(index: OutlineIndex, type: TypeIndex, frame: Frame): Resolution {
  const header = found(type.declaration.row, 'header', `static initialisers of ${describeType(type.declaration)}`);
  const rows = type.staticInitializers;
  const byLines = bestByLines(index.outline.declarations, rows, frame.lines);
  if (byLines.hits > 0) {
    return byLines.rows.length === 1 ? found(byLines.rows[0]!, 'line') : ambiguous(index, byLines.rows);
  }
  if (rows.length === 1 && frame.lines.length === 0) return found(rows[0]!, 'name only');
  return header;
}

/** The instance initialiser on the frame's line, unless the line belongs to the constructor itself; null when none does. */
export function resolveInstanceInitializer(
  index: OutlineIndex,
  type: TypeIndex,
  frame: Frame,
  own: Resolution,
): Resolution | null {
  const { declarations } = index.outline;
  const byLines = bestByLines(declarations, type.instanceInitializers, frame.lines);
  if (byLines.hits === 0) return null;
  if (own.confidence !== 'header' && bestByLines(declarations, own.declarations, frame.lines).hits > 0) {
    return null;
  }
  return byLines.rows.length === 1 ? found(byLines.rows[0]!, 'line') : ambiguous(index, byLines.rows);
}
