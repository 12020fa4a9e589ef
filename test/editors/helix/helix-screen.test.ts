// Tests the screen of Helix: every file's lines with their hints, after edits above and inside, and the answer of a command.
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import type { Terminal } from '../../support/terminals/terminal.ts';
import { checkEdits, checkEveryFile, onStage, type Screen, type Stage, untilAsLoaded } from '../shop-on-screen.ts';
import { openHelix, untilShown } from './helix.ts';

onStage('helix', 'Helix', stage => {
  test('every file shows its lines with their hints and nothing else', async () => {
    await checkEveryFile(stage.files(), 'Helix', () => open(stage));
  });

  test('lines above move every hint, a line inside marks its method as changed', async () => {
    await checkEdits(open(stage), stage.files()[0]!);
  });

  test('a command of the server is told on the last line', async () => {
    const screen = open(stage);
    await untilAsLoaded(screen, stage.files()[0]!);
    const { press, until } = screen.terminal;
    press(':lsp-workspace-command insitu.top', 'Enter');
    // No key may be pressed: it would take the answer away.
    await until('the hottest methods', lines =>
      lines.some(line => /insitu: Hottest methods.*\d+%.*\w+\.\w+\(/.test(line)),
    );
  });
});

function open({ engine, tmux, place }: Stage): Screen & { readonly terminal: Terminal } {
  const { folder, file, env } = place();
  const { terminal, close } = openHelix(engine, tmux, { folder, file, env });
  onTestFinished(close);
  const { press } = terminal;
  return {
    terminal,
    until: (what, wanted) => untilShown(terminal, what, wanted),
    show: path => press(`:open ${path}`, 'Enter'),
    insert: (line, lines) => {
      const added = join(folder, '..', `${basename(folder)}-added`);
      writeFileSync(added, `${lines.join('\n')}\n`);
      onTestFinished(() => rmSync(added, { force: true }));
      press(`:goto ${line}`, 'Enter', 'x', `:pipe cat ${added} -`, 'Enter');
    },
    undo: () => press('u'),
  };
}
