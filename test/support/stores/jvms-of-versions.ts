// Snapshots of several JVMs of one version of a small program, each of which differs from the version's loads at random.
import { normals } from '../../capabilities/compare/normals.ts';
import { putPicture } from '../insitu/lsp-store.ts';

/** The program: `run` calls the others, `find` calls `match`. */
export const SHOP = `package acme;
class Shop {
  void run() {
    find();
    pack();
    ship();
    bill();
  }
  void find() {
    for (int i = 0; i < 9; i++) match(i);
  }
  void match(int i) {}
  void pack() {}
  void ship() {}
  void bill() {}
}
`;

/** Puts them into a store, as program `shop` of project `acme`. @param loads samples by method, in the mean of all JVMs */
export async function putJvms(
  store: string,
  version: string,
  jvms: number,
  loads: Readonly<Record<string, number>>,
): Promise<void> {
  const random = normals(version.charCodeAt(0) + jvms);
  for (let jvm = 0; jvm < jvms; jvm++) {
    const amount = (name: string) => Math.round(loads[name]! * (1 + 0.02 * random()));
    const picture = [
      'acme.Shop.run | 100@4',
      `  acme.Shop.find :4 | ${amount('find')}@10`,
      `    acme.Shop.match :10 | ${amount('match')}@12`,
      `  acme.Shop.pack :5 | ${amount('pack')}@13`,
      `  acme.Shop.ship :6 | ${amount('ship')}@14`,
      `  acme.Shop.bill :7 | ${amount('bill')}@15`,
    ].join('\n');
    await putPicture(store, picture, { version, instance: `jvm-${version}-${jvm}` }, jvm);
  }
}
