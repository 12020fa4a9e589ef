// Whether a version of Node.js runs the server, and what to do where it does not.

/** The oldest one that the server runs with, as package.json of the server says. */
export const OLDEST_NODE = '22.18';

/** The obstacle to the server, for people; null without one. `version` is what `node --version` prints. */
export function nodeProblem(version: string, node: { readonly path: string | null }): string | null {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version.trim()) ?? [];
  if (major === undefined || minor === undefined) {
    const told = version.trim() === '' ? 'it prints no version' : `it says "${version.trim().slice(0, 80)}"`;
    return `${node.path ?? 'The Node.js of this editor'} is no Node.js (${told}). ${remedy(node.path)}`;
  }
  const [oldestMajor, oldestMinor] = OLDEST_NODE.split('.').map(Number) as [number, number];
  const enough = Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
  if (enough) return null;
  const whose = node.path === null ? 'this editor brings' : `${node.path} is`;
  return `insitu needs Node.js ${OLDEST_NODE} or newer, ${whose} ${version.trim()}. ${remedy(node.path)}`;
}

function remedy(path: string | null): string {
  return path === null
    ? `Update the editor, or set insitu.nodePath to a Node.js ${OLDEST_NODE} or newer.`
    : `Set insitu.nodePath to a Node.js ${OLDEST_NODE} or newer, or clear it to use the one of the editor.`;
}
