import { posix } from 'node:path'

const REPOSITORY = 'https://github.com/showrunner/showrunner/blob/main'

/** Documents of the repository by their sections in the sidebar, with the path of each page. */
export const sections: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Start here': {
    'README.md': 'index.md',
    'docs/guides/at-a-glance.md': 'guides/at-a-glance.md',
    'docs/guides/first-show.md': 'guides/first-show.md',
    'docs/guides/from-polling.md': 'guides/from-polling.md',
    'docs/guides/weekly-webinar.md': 'guides/weekly-webinar.md',
    'docs/guides/landing-page.md': 'guides/landing-page.md',
    'docs/guides/podcast.md': 'guides/podcast.md',
    'docs/guides/console.md': 'guides/console.md',
    'docs/guides/cookbook.md': 'guides/cookbook.md',
    'docs/guides/README.md': 'guides/index.md',
    'examples/README.md': 'examples.md',
  },
  'Questions and words': {
    'docs/guides/troubleshooting.md': 'guides/troubleshooting.md',
    'docs/guides/going-live.md': 'guides/going-live.md',
    'docs/guides/upgrading.md': 'guides/upgrading.md',
    'docs/guides/glossary.md': 'guides/glossary.md',
    'CHANGELOG.md': 'changelog.md',
  },
  'Your app': {
    'bin/package/README.md': 'client.md',
    'docs/callbacks.md': 'callbacks.md',
    'docs/problems.md': 'problems.md',
  },
  'On AWS': {
    'docs/deploy.md': 'deploy.md',
    'docs/runbook.md': 'runbook.md',
    'docs/threat-model.md': 'threat-model.md',
    'docs/faults.md': 'faults.md',
  },
  'How it works': {
    'docs/architecture.md': 'architecture.md',
    'docs/machines.md': 'machines.md',
    'docs/tasks.md': 'tasks.md',
    'docs/lifecycles.md': 'lifecycles.md',
    'docs/errors.md': 'errors.md',
    'docs/measurements.md': 'measurements.md',
    'docs/scale.md': 'scale.md',
    'docs/sandbox.md': 'sandbox.md',
    'local/cloud/README.md': 'cloud.md',
    'docs/operations.md': 'operations.md',
    'docs/platform/overview.md': 'platform/overview.md',
    'docs/decisions/README.md': 'decisions/index.md',
  },
}

/** Files that the site serves unchanged, with their paths. */
const served: Readonly<Record<string, string>> = {
  'docs/show.schema.json': 'show.schema.json',
  'docs/showrunner-api.json': 'showrunner-api.json',
  'docs/openapi.json': 'openapi.json',
  'docs/platform-events.schema.json': 'platform-events.schema.json',
}

/** Returns the anchor that GitHub gives a heading, because links in the documents lead to it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

export interface Site {
  /** Texts of the pages by their paths. */
  readonly pages: ReadonlyMap<string, string>
  /** Paths of pages by those of their documents. */
  readonly pathOf: ReadonlyMap<string, string>
  /** Files to copy, by their paths in the repository: pictures and what is served unchanged. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * Collects the pages of the site. Links between documents become links between pages; other links into the repository
 * lead to its host.
 * @param paths paths of all files of the repository
 * @param read reads one of them
 */
export function collectPages(paths: readonly string[], read: (path: string) => string): Site {
  const listed = Object.assign({}, ...Object.values(sections)) as Record<string, string>
  const documents = paths.filter((path) => path.startsWith('docs/') && path.endsWith('.md')) // also those beside the sidebar
  const pathOf = new Map([
    ...documents.map((path) => [path, path.replace('docs/', '').replace('README.md', 'index.md')] as const),
    ...Object.entries(listed),
  ])
  const pictures = paths.filter((path) => /^docs\/images\/.*\.(png|svg)$/.test(path))
  const files = new Map([
    ...pictures.map((path) => [path, path.replace('docs/', '')] as const),
    ...Object.entries(served).map(([path, name]) => [path, posix.join('public', name)] as const),
  ])
  const pages = [...pathOf].map(([path, page]) => [page, pageOf(path, read(path), { pathOf, files })] as const)
  return { pages: new Map(pages), pathOf, files }
}

/** Returns the text of a page: without comments, which the generator would show, and with its links. */
function pageOf(path: string, text: string, site: Pick<Site, 'pathOf' | 'files'>): string {
  const page = site.pathOf.get(path) ?? path
  const linked = withoutComments(text).replace(/\]\(([^)\s]+)\)/g, (_, link: string) => {
    const [file = '', heading] = link.split('#')
    if (/^\w+:/.test(link) || !file) return `](${link})`
    const target = posix.join(posix.dirname(path), file)
    return `](${leadTo(target, page, site)}${heading === undefined ? '' : `#${heading}`})`
  })
  return escaped(linked)
}

function leadTo(target: string, page: string, { pathOf, files }: Pick<Site, 'pathOf' | 'files'>): string {
  const other = pathOf.get(target) ?? pathOf.get(posix.join(target, 'README.md'))
  const file = files.get(target)
  if (other) return relativeTo(page, other)
  if (file?.startsWith('public/')) return file.replace('public', '')
  if (file) return relativeTo(page, file)
  return `${REPOSITORY}/${target.replace(/\/$/, '')}`
}

const relativeTo = (page: string, other: string) => {
  const path = posix.relative(posix.dirname(page), other)
  return path.startsWith('.') ? path : `./${path}`
}

const withoutComments = (text: string) => text.replace(/<!--[\s\S]*?-->\n*/g, '')

/** Keeps Vue from reading double braces outside of code as expressions. */
const escaped = (text: string) => `::: v-pre\n\n${text.trim()}\n\n:::\n`
