// Declarations: a file or a list of members, with bodies and initialisers left as regions to be parsed on demand.
import { type IToken, isRecognitionException } from 'chevrotain';
import { Body, type BodyFacts } from './body-token.ts';
import type { Draft, Region, Sheet } from './draft.ts';
import { HeaderParser, nothing, nowhere, type OpenType, type Place } from './header-parser.ts';
import { endOf, widened } from './java-parser.ts';
import type { DeclarationKind, TypeText } from './outline.ts';
import * as T from './tokens.ts';

/** Types nest at most this deep; deeper types are reported and skipped. */
export const NESTING_LIMIT = 60;

/** A file, the inside of a class body, or one local type, and how far it is read: the parser may read others before it goes on here. */
export class MemberReading {
  readonly input: IToken[];
  currIdx = -1;
  readonly text: string;
  readonly sheet: Sheet;
  readonly region: Region | null;
  readonly base: number;
  readonly byIndentation: boolean;
  depth: number;
  memberColumn = 0;
  readonly types: OpenType[] = [];

  /**
   * @param text the whole file.
   * @param sheet where what the tokens declare is to be written.
   * @param region null for a whole file.
   * @param byIndentation braces do not match: members end where their indentation does.
   */
  constructor(text: string, tokens: IToken[], sheet: Sheet, region: Region | null, byIndentation: boolean) {
    this.text = text;
    this.input = tokens;
    this.sheet = sheet;
    this.region = region;
    this.base = region?.start ?? 0;
    this.depth = region?.depth ?? 0;
    this.byIndentation = byIndentation;
  }
}

export class MemberParser extends HeaderParser {
  constructor(isValidated = false) {
    super(isValidated);
    this.performSelfAnalysis();
  }

  /** Parses about so many tokens, up to the end of a member; whether anything is left. */
  more(reading: MemberReading, count: number): boolean {
    Object.assign(this, reading);
    this.members(this.currIdx + count);
    const { currIdx, depth, memberColumn } = this;
    Object.assign(reading, { currIdx, depth, memberColumn });
    return !this.isAtEnd();
  }

  private readonly members = this.RULE('members', (until: number) => {
    this.MANY({
      GATE: () => this.currIdx < until,
      DEF: () => {
        const { owner } = this;
        this.guard(() =>
          this.OR({
            IGNORE_AMBIGUITIES: true,
            DEF: [
              { GATE: () => this.readsConstants, ALT: () => this.SUBRULE(this.enumConstant, { ARGS: [owner] }) },
              { GATE: () => this.types.length === 0, ALT: () => this.SUBRULE(this.importClause) },
              { ALT: () => this.SUBRULE(this.member, { ARGS: [owner] }) },
              { ALT: () => this.SUBRULE(this.unexpected) },
            ],
          }),
        );
        this.ACTION(() => this.endTypes());
      },
    });
    this.ACTION(() => this.isAtEnd() && this.endTypes());
  });

  private readonly member = this.RULE('member', (owner: Draft | null) => {
    const start = this.start();
    const prefix = this.SUBRULE(this.modifiers);
    const place: Place = { owner, start, prefix };
    this.OR([
      { ALT: () => this.CONSUME(T.Semicolon) },
      { ALT: () => this.SUBRULE(this.initializer, { ARGS: [place] }) },
      { ALT: () => this.SUBRULE(this.packageClause) },
      { GATE: () => this.typeKind() !== null, ALT: () => this.SUBRULE(this.typeDeclaration, { ARGS: [place] }) },
      { GATE: () => owner === null && this.isModule(), ALT: () => this.SUBRULE(this.moduleDeclaration) },
      { ALT: () => this.SUBRULE(this.genericMember, { ARGS: [place] }) },
      { ALT: () => this.SUBRULE(this.callableOrField, { ARGS: [place, []] }) },
    ]);
  });

  private readonly initializer = this.RULE('initializer', (place: Place = nowhere) => {
    const isStatic = place.prefix.modifiers.includes('static');
    const draft = this.open(isStatic ? 'staticInitializer' : 'instanceInitializer', place);
    draft.nameEnd = draft.nameStart + (isStatic ? 6 : 1);
    this.SUBRULE(this.body, { ARGS: [draft] });
  });

  private readonly genericMember = this.RULE('genericMember', (place: Place = nowhere) => {
    const typeParameters = this.SUBRULE(this.typeParameters);
    this.SUBRULE(this.callableOrField, { ARGS: [place, typeParameters] });
  });

  private readonly callableOrField = this.RULE(
    'callableOrField',
    (place: Place = nowhere, typeParameters: Draft['typeParameters']) => {
      this.OR([
        {
          GATE: () => this.is(T.Identifier) && this.is(T.LParen, 2),
          ALT: () => this.SUBRULE(this.callable, { ARGS: ['constructor', place, typeParameters, null] }),
        },
        { GATE: () => this.is(Body, 2), ALT: () => this.SUBRULE(this.compactConstructor, { ARGS: [place] }) },
        {
          ALT: () => {
            const type = this.SUBRULE(this.type);
            this.OR2([
              {
                GATE: () => this.is(T.LParen, 2),
                ALT: () => this.SUBRULE2(this.callable, { ARGS: ['method', place, typeParameters, type] }),
              },
              { ALT: () => this.SUBRULE(this.fields, { ARGS: [place, type] }) },
            ]);
          },
        },
      ]);
    },
  );

  private readonly callable = this.RULE(
    'callable',
    (
      kind: DeclarationKind = 'method',
      place: Place = nowhere,
      typeParameters: Draft['typeParameters'],
      type: TypeText | null = null,
    ) => {
      const draft = this.open(kind, place);
      draft.typeParameters = typeParameters;
      draft.type = type;
      this.name(draft, this.CONSUME(T.Identifier));
      draft.parameters = this.SUBRULE(this.parameters);
      draft.type = widened(type, this.moreDimensions());
      this.OPTION(() => {
        this.CONSUME(T.Throws);
        this.MANY_SEP({ SEP: T.Comma, DEF: () => this.SUBRULE(this.type) });
      });
      this.OPTION2(() => {
        this.CONSUME(T.Default);
        this.SUBRULE(this.expression);
      });
      this.OR([{ ALT: () => this.SUBRULE(this.body, { ARGS: [draft] }) }, { ALT: () => this.CONSUME(T.Semicolon) }]);
      draft.end = this.end();
    },
  );

  private readonly compactConstructor = this.RULE('compactConstructor', (place: Place = nowhere) => {
    const draft = this.open('compactConstructor', place);
    this.name(draft, this.CONSUME(T.Identifier));
    this.SUBRULE(this.body, { ARGS: [draft] });
  });

  /** A body in braces: its place is noted and its inside left for later. */
  private readonly body = this.RULE('body', (draft: Draft = nothing) => {
    const token = this.CONSUME(Body);
    this.ACTION(() => {
      const facts: BodyFacts = token.payload;
      draft.bodyStart = this.base + token.startOffset;
      draft.end = draft.bodyEnd = this.base + endOf(token);
      draft.declares = facts.declares;
      if (!facts.closed) this.unbalanced('a closing brace is missing', draft.bodyStart);
      if (draft.kind !== 'enumConstant') this.leave('code', draft.bodyStart, draft.bodyEnd, draft);
      else this.leave('members', draft.bodyStart + 1, draft.bodyEnd - (facts.closed ? 1 : 0), draft);
    });
  });

  private readonly fields = this.RULE('fields', (place: Place = nowhere, type: TypeText | null = null) => {
    let start = place.start;
    this.MANY_SEP({
      SEP: T.Comma,
      DEF: () => {
        // Behind a comma without a name there is no field.
        const name = this.CONSUME(T.Identifier);
        const draft = this.open('field', { ...place, start });
        this.name(draft, name);
        draft.type = widened(type, this.moreDimensions());
        draft.end = this.end();
        this.OPTION(() => this.SUBRULE(this.fieldValue, { ARGS: [draft] }));
        start = this.start(2);
      },
    });
    this.CONSUME(T.Semicolon);
  });

  private readonly fieldValue = this.RULE('fieldValue', (draft: Draft = nothing) => {
    this.CONSUME(T.Assign);
    const start = this.start();
    this.SUBRULE(this.expression);
    draft.end = this.end();
    this.leave('code', start, draft.end, draft);
  });

  /** The tokens of an expression up to the `;` or `,` behind it; they are read later, as code. */
  private readonly expression = this.RULE('expression', () => {
    let depth = 0;
    let quiet = 0;
    this.MANY({
      GATE: () => {
        if (depth > 0) return !this.is(T.Modifier) && !this.isVoidMethod();
        if (quiet === 0 && this.is(T.Less)) quiet = this.lengthOfTypeArguments();
        return quiet > 0 || !this.endsExpression();
      },
      DEF: () => {
        if (quiet > 0) quiet--;
        this.OR([
          {
            ALT: () => {
              this.CONSUME(T.LParen);
              depth++;
            },
          },
          {
            ALT: () => {
              this.CONSUME(T.RParen);
              depth--;
            },
          },
          { ALT: () => this.CONSUME(T.Inside) },
        ]);
      },
    });
  });

  private readonly typeDeclaration = this.RULE('typeDeclaration', (place: Place = nowhere) => {
    const draft = this.open(this.typeKind() ?? 'class', place);
    draft.local = this.region?.what === 'type' && this.depth === this.region.depth;
    this.OPTION(() => this.CONSUME(T.At));
    this.OR([
      { ALT: () => this.CONSUME(T.Class) },
      { ALT: () => this.CONSUME(T.Interface) },
      { ALT: () => this.CONSUME(T.Enum) },
      { ALT: () => this.CONSUME(T.Identifier) },
    ]);
    const named = this.OPTION2(() => this.name(draft, this.CONSUME2(T.Identifier))) === true;
    if (!named) this.sheet.problem('a type without a name', draft.start, this.end());
    this.OPTION3(() => {
      draft.typeParameters = this.SUBRULE(this.typeParameters);
    });
    this.OPTION4(() => {
      draft.parameters = this.SUBRULE(this.parameters);
    });
    draft.supertypes = this.SUBRULE(this.supertypes);
    draft.end = this.end();
    const open = this.CONSUME(T.LCurly);
    draft.bodyStart = this.base + open.startOffset;
    this.depth++;
    this.OPTION5({ GATE: () => this.depth > NESTING_LIMIT, DEF: () => this.SUBRULE(this.tooDeep) });
    this.ACTION(() => this.openType(draft));
  });

  /** Everything up to the brace that closes this body. */
  private readonly tooDeep = this.RULE('tooDeep', () => {
    let open = 0;
    const start = this.start();
    this.MANY({
      GATE: () => open > 0 || !this.is(T.RCurly),
      DEF: () => {
        const { tokenType } = this.CONSUME(T.Any);
        if (tokenType === T.LCurly) open++;
        if (tokenType === T.RCurly) open--;
      },
    });
    this.ACTION(() =>
      this.sheet.problem(`types nest deeper than ${NESTING_LIMIT}; the inner ones are left out`, start, this.end()),
    );
  });

  private readonly enumConstant = this.RULE('enumConstant', (owner: Draft | null) => {
    const start = this.start();
    const prefix = this.SUBRULE(this.modifiers);
    const draft = this.open('enumConstant', { owner, start, prefix });
    this.name(draft, this.CONSUME(T.Identifier));
    this.ACTION(() => this.makesItself(draft));
    draft.end = this.end();
    this.OPTION(() => {
      const open = this.start();
      this.SUBRULE(this.parenthesised);
      draft.end = this.end();
      this.leave('code', open, draft.end, draft);
    });
    this.OPTION2(() => this.SUBRULE(this.body, { ARGS: [draft] }));
    this.OPTION3(() => this.CONSUME(T.Comma));
  });

  /** An enum constant calls a constructor of its type. */
  private makesItself(draft: Draft): void {
    const { owner, nameStart, nameEnd } = draft;
    this.sheet.calls.push({
      owner: draft,
      kind: 'implicit',
      name: owner?.name ?? '',
      argumentCount: -1,
      nameStart,
      nameEnd,
      open: -1,
      at: nameStart,
      construct: 'enumConstant',
    });
  }

  private readonly unexpected = this.RULE('unexpected', () => {
    const { image } = this.LA(1);
    const start = this.start();
    this.SUBRULE(this.stray);
    this.sheet.problem(`unexpected ${image.slice(0, 20)}`, start, start + image.length);
  });

  /** Reads over what cannot begin a member, up to something that may. */
  private readonly stray = this.RULE('stray', () => {
    let last = this.CONSUME(T.Any).tokenType;
    this.MANY({
      GATE: () => last !== T.Semicolon && last !== Body && !this.mayBegin(),
      DEF: () => {
        if (last === T.LCurly || last === T.RCurly) this.sheet.unbalanced = true;
        last = this.CONSUME2(T.Any).tokenType;
      },
    });
    if (last === T.LCurly || last === T.RCurly) this.sheet.unbalanced = true;
  });

  /** Runs a rule for one member; when it fails, reports that and reads on to where the next member may begin. */
  private guard(rule: () => void): void {
    const first = this.LA(1);
    try {
      rule();
    } catch (error) {
      if (!(error instanceof Error) || !isRecognitionException(error)) throw error;
      // A constant that cannot be read ends its enum, of which nothing says where it ends.
      if (this.readsConstants) this.types.pop();
      const last = this.sheet.drafts.at(-1);
      if (last && last.end <= last.nameEnd) last.end = Math.max(last.nameEnd, this.end());
      const token = this.LA(1);
      const start = token.startOffset < 0 ? this.end() : this.base + token.startOffset;
      this.sheet.problem(error.message, start, start + token.image.length);
      const isAtEnd = token.startOffset < 0;
      if (!isAtEnd && (token === first || !this.mayBegin())) this.SUBRULE9(this.stray);
    }
  }
}
