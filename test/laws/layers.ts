import { importsOf } from './imports.ts'
import type { Source } from './sources.ts'

interface Layer {
  /** Folders and files that make it up. A longer path wins, so `lib/publish/manifest` is not in `lib/publish`. */
  readonly of: readonly string[]
  /** Layers it may import, besides itself and the clock. */
  readonly imports: readonly string[]
  /** The only npm packages it may import. @default any */
  readonly packages?: readonly string[]
  /** False: it may not import modules of Node. @default true */
  readonly builtins?: false
}

/** Data: schemas, tables and pure functions. Each may import those before it. */
const data = ['contract', 'document', 'manifest', 'state', 'events', 'tasks'] as const
const library = [
  ...data,
  'layouts',
  'plan',
  'api',
  'api-client',
  'client',
  'media',
  'aws',
  'records',
  'services',
  'run',
  'publish',
  'operations',
]
const local = ['sandbox', 'cloud', 'simulation']
const pure = { packages: ['zod'], builtins: false } as const

/** Who may import whom: the direction of imports of docs/architecture.md. */
export const layers: Readonly<Record<string, Layer>> = {
  clock: { of: ['lib/clock.ts'], imports: [], packages: [] },
  contract: { of: ['lib/platform/contract'], imports: [], ...pure },
  // How streams are arranged in a picture. The sandbox draws it, and the console shows it before it is taken.
  layouts: { of: ['lib/platform/layouts'], imports: [], packages: [], builtins: false },
  // Knows no AWS and no Showrunner.
  client: { of: ['lib/platform/client'], imports: ['contract'], packages: ['jose', 'zod'] },
  media: { of: ['lib/media'], imports: [] },

  document: { of: ['lib/show/document'], imports: ['contract'], ...pure },
  manifest: { of: ['lib/publish/manifest'], imports: ['contract', 'document'], ...pure },
  state: { of: ['lib/show/state'], imports: ['contract', 'document'], ...pure },
  events: { of: ['lib/events'], imports: ['contract', 'document', 'manifest', 'state'], ...pure },
  tasks: { of: ['lib/tasks'], imports: ['contract', 'document', 'manifest', 'state', 'events'], ...pure },
  plan: { of: ['lib/show/plan'], imports: data, ...pure },
  api: { of: ['lib/api'], imports: data, ...pure },
  // Runs in browsers: of the API it imports types only, which test/lib/client/bundle.test.ts checks.
  'api-client': { of: ['lib/client'], imports: ['api'], ...pure },

  aws: { of: ['lib/aws'], imports: data },
  records: { of: ['lib/records'], imports: [...data, 'aws'] },
  run: {
    of: ['lib/show/run', 'lib/show/controls', 'lib/show/dial-ins'],
    imports: [...data, 'plan', 'client', 'aws', 'records', 'services'],
  },
  operations: {
    of: ['lib/operations'],
    imports: [...data, 'plan', 'client', 'aws', 'records', 'services', 'run'],
  },
  // The only one that needs media as well.
  publish: {
    of: ['lib/publish'],
    imports: [...data, 'api', 'client', 'media', 'aws', 'records', 'services', 'run'],
  },
  // The composition root makes what the use cases take parts of.
  services: {
    of: ['lib/services.ts'],
    imports: [...data, 'client', 'aws', 'records', 'operations', 'publish'],
  },
  lambdas: {
    of: ['lambdas'],
    imports: [...data, 'plan', 'api', 'aws', 'records', 'services', 'run', 'publish', 'operations'],
  },
  stack: { of: ['lib/showrunner-stack.ts', 'lib/constructs'], imports: [...data, 'api'] },

  // Client and sandbox meet only in the contract, so neither inherits the other's misunderstanding.
  sandbox: { of: ['local/sandbox'], imports: ['contract', 'layouts', 'media'] },
  cloud: { of: ['local/cloud'], imports: [] },
  simulation: {
    of: ['local/simulation'],
    // Of the operations it imports what the package has for event apps.
    imports: [...data, 'media', 'services', 'operations', 'lambdas', 'sandbox', 'cloud'],
  },
  bench: { of: ['bench'], imports: [...library, ...local] },
  bin: { of: ['bin'], imports: [...library, 'lambdas', 'stack', ...local, 'bench'] },
  // The pages speak HTTP. They share with the server the types of what they receive.
  web: { of: ['web'], imports: [], packages: ['hls.js'], builtins: false },
  watch: { of: ['web/watch'], imports: ['web', 'manifest', 'api'], packages: ['hls.js'], builtins: false },
  console: { of: ['web/console'], imports: ['web', 'layouts', 'api', 'api-client'], builtins: false },
}

/** Returns the layer of a file, by the longest path that holds it. */
export function layerOf(path: string): string | undefined {
  const holds = (place: string) => path === place || path.startsWith(`${place}/`)
  const places = Object.entries(layers).flatMap(([name, { of }]) => of.filter(holds).map((place) => ({ name, place })))
  return places.toSorted((one, other) => other.place.length - one.place.length)[0]?.name
}

/** Returns one sentence for each import that the table does not allow. */
export function layerProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const name = layerOf(source.path)
    const layer = name === undefined ? undefined : layers[name]
    if (!name || !layer)
      return [`${source.path} belongs to no layer: move it, or name its layer in test/laws/layers.ts.`]
    const { files, packages, builtins } = importsOf(source)
    const mayImport = (path: string) => {
      const other = layerOf(path)
      return (
        other === name ||
        (other === 'clock' && !layer.of.some((place) => place.startsWith('web'))) ||
        layer.imports.includes(other ?? '')
      )
    }
    return [
      ...files.filter((path) => !mayImport(path)),
      ...packages.filter((one) => layer.packages && !layer.packages.includes(one)),
      ...builtins.filter(() => layer.builtins === false),
    ].map((imported) => `${source.path} (${name}) must not import ${imported}.`)
  })
}

/** Returns one sentence for each import of a function's file: functions are deployed one by one. */
export function entryPointProblems(sources: readonly Source[]): string[] {
  const functions = new Set(sources.filter(({ text }) => /^export const handler\b/m.test(text)).map(({ path }) => path))
  return sources
    .filter(({ path }) => path.startsWith('lambdas/'))
    .flatMap((source) =>
      importsOf(source)
        .files.filter((path) => functions.has(path))
        .map((path) => `${source.path} must not import ${path}, which is a function of its own.`),
    )
}

/** Returns every cycle of imports once: `a.ts → b.ts → a.ts`. */
export function cycles(sources: readonly Source[]): string[] {
  return cyclesOf(new Map(sources.map((source) => [source.path, importsOf(source).files])))
}

/** Returns every cycle of a graph once, as `a → b → a`. */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node)
    if (start >= 0) found.push([...trail.slice(start), node].join(' → '))
    if (start >= 0 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}
