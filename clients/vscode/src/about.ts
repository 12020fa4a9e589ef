// Says of questions which data they are about: the data of the Java file that was looked at last, where the operation takes a file.

/** Operations on the whole server; they refuse what they do not know. */
const OF_NO_FILE: ReadonlySet<string> = new Set(['status', 'refresh', 'jvms', 'stopRecording']);

/** The parameters with the file, where they say nothing better. Rows of call trees know theirs. */
export function aboutFile(operation: string, parameters: object, uri: string | null): object {
  if (uri === null || OF_NO_FILE.has(operation) || 'item' in parameters) return parameters;
  return { textDocument: { uri }, ...parameters };
}
