import { importsOf } from './imports.ts'
import type { Source } from './sources.ts'

interface Layer {
  /** Folders and files that make it up. */
  readonly of: readonly string[]
  /** Layers it may import, besides itself and the clock. */
  readonly imports: readonly string[]
  /** The only npm packages it may import; any where nothing is said. */
  readonly packages?: readonly string[]
  /** Whether it may import Node's own modules; it may unless said otherwise. */
  readonly builtins?: false
}

const library = ['contract', 'client', 'media', 'workflow', 'services']
const laptop = ['sandbox', 'cloud', 'simulation']

/** Who may import whom: the table of the design. */
export const layers: Readonly<Record<string, Layer>> = {
  clock: { of: ['lib/clock.ts'], imports: [], packages: [] },
  contract: { of: ['lib/platform/contract'], imports: [], packages: ['zod'], builtins: false },
  // Knows no AWS and no Showrunner.
  client: { of: ['lib/platform/client'], imports: ['contract'], packages: ['jose', 'zod'] },
  media: { of: ['lib/media'], imports: [] },
  // Data only.
  workflow: { of: ['lib/workflow'], imports: ['contract'], packages: ['zod'], builtins: false },
  services: { of: ['lib/services'], imports: ['workflow', 'client', 'contract'] },
  lambdas: { of: ['lambdas'], imports: ['services', 'workflow', 'contract', 'media'] },
  stack: { of: ['lib/showrunner-stack.ts', 'lib/constructs'], imports: ['workflow'] },
  // Client and sandbox meet only in the contract, so neither inherits the other's misunderstanding.
  sandbox: { of: ['local/sandbox'], imports: ['contract', 'media'] },
  cloud: { of: ['local/cloud'], imports: [] },
  simulation: {
    of: ['local/simulation'],
    imports: ['lambdas', 'services', 'workflow', 'contract', 'sandbox', 'cloud'],
  },
  bench: { of: ['bench'], imports: [...library, ...laptop] },
  bin: { of: ['bin'], imports: [...library, 'lambdas', 'stack', ...laptop, 'bench'] },
  // Speaks HTTP as well, and shares with the server only what it is told.
  watch: { of: ['watch'], imports: ['workflow'], packages: ['hls.js'], builtins: false },
  // Speaks HTTP.
  console: { of: ['console'], imports: [] },
}

/** The layer a file belongs to, by its path. */
export function layerOf(path: string): string | undefined {
  const isIn = (place: string) => path === place || path.startsWith(`${place}/`)
  return Object.keys(layers).find((name) => layers[name]?.of.some(isIn))
}

/** What these files do against the table, one sentence for each. */
export function layerProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const name = layerOf(source.path)
    const layer = name === undefined ? undefined : layers[name]
    if (!name || !layer)
      return [`${source.path} belongs to no layer: move it, or name its layer in test/laws/layers.ts.`]
    const { files, packages, builtins } = importsOf(source)
    const mayImport = (path: string) => {
      const other = layerOf(path)
      return other === name || (other === 'clock' && name !== 'console') || layer.imports.includes(other ?? '')
    }
    return [
      ...files.filter((path) => !mayImport(path)),
      ...packages.filter((one) => layer.packages && !layer.packages.includes(one)),
      ...builtins.filter(() => layer.builtins === false),
    ].map((imported) => `${source.path} (${name}) must not import ${imported}.`)
  })
}

/** Functions are deployed one by one, so none may import the file of another; what they share lies in folders. */
export function entryPointProblems(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith('lambdas/'))
    .flatMap((source) =>
      importsOf(source)
        .files.filter((path) => /^lambdas\/[^/]+$/.test(path))
        .map((path) => `${source.path} must not import ${path}, which is a function of its own.`),
    )
}

/** Every cycle of imports, each named once: `a.ts → b.ts → a.ts`. */
export function cycles(sources: readonly Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, importsOf(source).files]))
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}
