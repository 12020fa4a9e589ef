// The head of a table of the page: names of columns, names of number columns to the right.

/** `isNumber` is false where it is absent. */
type HeadCell = {
  readonly text: string;
  readonly isNumber?: boolean;
  readonly title?: string;
  readonly className?: string;
};

export function TableHead({ cells }: { readonly cells: readonly HeadCell[] }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {cells.map(({ text, isNumber = false, title, className = '' }) => (
          <th key={text} scope="col" class={isNumber ? 'number' : className} title={title}>
            {text}
          </th>
        ))}
      </tr>
    </thead>
  );
}
