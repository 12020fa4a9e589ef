// Messages about the page of pictures.
import type { About, Subject } from './terms.ts';

/** The first picture of the page: a method, or everything; in the blueprint, where it is named. */
export type PictureMessage = (About | Subject) & { readonly view?: 'blueprint' };

/** Where a browser on this machine finds the page: good for one page within a minute. */
export type PictureAddress = {
  readonly address: string;
  /** To be run at the other end where the server was started over SSH; null elsewhere. */
  readonly ssh: string | null;
};

/** A question of the page, as a webview hands it on. */
export type ViewMessage = About & { readonly question: object };

/** JSON as the page's web server answers it, or a picture's bytes. */
export type ViewAnswerMessage = { readonly json: object } | { readonly base64: string };

/** The method that a page begins with; null for everything. */
export type ViewStart = { readonly of: string | null };
