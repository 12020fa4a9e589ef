// A method in the middle: who calls it stands above, what it calls below, all its occurrences as one.
import { knownMethod } from './known-methods.ts';
import { fullName } from './name-trimming.ts';
import { NoMethod } from './no-method.tsx';
import { methodShown, shown } from './page-state.ts';
import { Picture } from './picture.tsx';

export function SandwichView() {
  const of = methodShown.value;
  if (of === null) return <NoMethod />;
  const method = knownMethod(of);
  const half = (direction: 'up' | 'down') => () => ({
    direction,
    of: methodShown.value,
    root: [],
    isRing: false,
    upwards: direction === 'up',
    form: 'angle' as const,
    zoom: shown.value.zoom,
  });
  return (
    <section class="sandwich" aria-label="Sandwich">
      <Picture name="Callers" subject={half('up')} isMain={false} />
      <p class="middle">
        ↑ callers · <strong>{method === null ? 'the method' : fullName(method)}</strong> · callees ↓
      </p>
      <Picture name="Callees" subject={half('down')} isMain={true} />
    </section>
  );
}
