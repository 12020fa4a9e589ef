// The changes that can happen to a workspace.
import type { Missing } from '../analysis/load-merged.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Pairing } from '../analysis/pairing.ts';
import type { PartialSettings } from '../base/config.ts';
import type { Problem } from '../base/problem.ts';
import type { ProfiledText } from '../mapping/recorded/profiled-text.ts';
import type { Choice } from './data/choice.ts';
import type { Source } from './data/source.ts';

/** Everything that can happen to a workspace. `path` is null for documents that are no files of this machine. */
export type Change =
  | { readonly kind: 'foldersChanged'; readonly folders: readonly string[] }
  | { readonly kind: 'editorSettingsChanged'; readonly settings: PartialSettings }
  | { readonly kind: 'configurationFilesChanged' }
  | {
      readonly kind: 'documentChanged';
      readonly uri: string;
      readonly path: string | null;
      /** Of one that is too large to be looked into, its size in UTF-8 is enough. */
      readonly text: string | { readonly bytes: number };
    }
  | { readonly kind: 'documentClosed'; readonly uri: string }
  /** Files were found, which may declare classes of open documents too. */
  | { readonly kind: 'filesIndexed' }
  | { readonly kind: 'loadStarted'; readonly source: Source }
  | {
      readonly kind: 'loadEnded';
      readonly source: Source;
      /** null when nothing could be loaded; what was loaded before is dropped then. */
      readonly data: LoadedData | null;
      readonly problems: readonly Problem[];
      /** The names of the source that the store does not hold: where they were chosen, the settings decide again. */
      readonly missing?: readonly Missing[];
    }
  | { readonly kind: 'loadCancelled'; readonly source: Source }
  /** The recorded text of an open file has come to be known, or is known to be unknown. */
  | { readonly kind: 'profiledTextKnown'; readonly uri: string; readonly profiled: ProfiledText }
  /** Which methods of a baseline the shown ones have been is known, or better known than before. */
  | { readonly kind: 'methodsPaired'; readonly pairing: Pairing }
  /** Replaces what was chosen for the project of the document, or of the first folder when `uri` is null. */
  | { readonly kind: 'choiceChanged'; readonly uri: string | null; readonly choice: Choice };
