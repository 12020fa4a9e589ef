// Mistakes in an insitu.json, each at the text that is wrong, for editors.
import { formatProblem } from '../../base/problem.ts';
import { readSettings } from '../../workspace/settings/read-settings.ts';

/**
 * Each error with its remedy. Offsets are UTF-16 units into the text.
 * @param isAllowed whether the user has allowed this file to name a location beyond this machine.
 */
export function configurationDiagnostics(text: string, isAllowed: (location: string) => boolean) {
  return readSettings(text, 'insitu.json', 'workspace', isAllowed).problems.map(
    ({ offset, length, message, remedy }) => ({
      start: offset,
      end: offset + length,
      message: formatProblem({ severity: 'error', message, ...(remedy !== undefined && { remedy }) }),
    }),
  );
}
