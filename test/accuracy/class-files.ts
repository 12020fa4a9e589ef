// The facts of class files about their methods, read by ClassFileTruth.java: the truth against which the resolver is measured.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type MethodTruth = {
  readonly name: string;
  readonly descriptor: string;
  /** Access flags of the class file. */
  readonly flags: number;
  /** Generic signature, empty where the class file has none. */
  readonly signature: string;
  /** Lines of the line table, ascending; absent without code. */
  readonly lines?: readonly number[];
  /** Parameter names in descriptor order; `?` where not known; absent without code. */
  readonly parameters?: readonly string[];
  /** For synthetic methods: `owner name descriptor` of the last call in it, `owner name` of the field that it reads or writes. */
  readonly forwards?: string;
  /** Distinct `line owner name`, in code order; owner `-` for dynamic calls. */
  readonly calls?: readonly string[];
  /** Distinct `line owner name` of the bodies of lambdas and method references, in code order. */
  readonly lambdas?: readonly string[];
};

export type ClassTruth = {
  readonly class: string;
  readonly flags: number;
  /** Name of the source file without folder. */
  readonly source: string;
  readonly super: string;
  readonly nesting: 'top' | 'member' | 'local' | 'anonymous';
  readonly record: number;
  readonly methods: readonly MethodTruth[];
};

export const ACC = { static: 0x8, bridge: 0x40, synthetic: 0x1000 } as const;

const program = fileURLToPath(new URL('ClassFileTruth.java', import.meta.url));

/** Reads all class files of the inputs (folders, jars, or `JAVA_HOME=module`) with the `java` of a JDK 24 or newer. */
export async function readClassFiles(java: string, inputs: readonly string[]): Promise<ClassTruth[]> {
  const child = spawn(java, ['-Xmx1g', program, ...inputs], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const classes: ClassTruth[] = [];
  for await (const line of createInterface({ input: child.stdout })) classes.push(JSON.parse(line) as ClassTruth);
  const status = await ended;
  if (status !== 0) throw new Error(`ClassFileTruth.java ended with status ${status}`);
  return classes;
}

/** Whether the method is the body of a lambda or of a method reference. */
export function isLambdaBody(method: MethodTruth): boolean {
  return method.name.startsWith('lambda$') && isSynthetic(method);
}

/** Whether the compiler made the method, lambda bodies included. */
export function isSynthetic(method: MethodTruth): boolean {
  return (method.flags & ACC.synthetic) !== 0;
}

/** Where the accessors of old class files lead: `owner access$000` → `owner name` of a private method or field. */
export type Accessors = ReadonlyMap<
  string,
  { readonly owner: string; readonly name: string; readonly isField: boolean }
>;

/** The accessors in the class files, which nobody sees in a profile: mapping folds them into what they give access to. */
export function accessorsOf(truths: readonly ClassTruth[]): Accessors {
  const found = new Map<string, { owner: string; name: string; isField: boolean }>();
  for (const truth of truths) {
    for (const method of truth.methods) {
      const [owner = '', name, descriptor] = (method.forwards ?? '').split(' ');
      if (!method.name.startsWith('access$') || name === undefined) continue;
      found.set(`${truth.class} ${method.name}`, { owner, name, isField: descriptor === undefined });
    }
  }
  return found;
}
