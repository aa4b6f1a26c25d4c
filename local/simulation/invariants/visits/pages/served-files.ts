import { posix } from 'node:path'
import type { Manifest } from '../../../../../lib/publish/manifest/manifest.ts'
import { pageFileOf } from '../../../environment/guests/page-files.ts'
import { readPage } from '../../../visits/page-content.ts'
import type { Visit } from '../../../visits/visitor.ts'
import type { Evidence } from '../../evidence.ts'
import { documentIn } from '../recorded-documents.ts'

const TYPES: Readonly<Record<string, string>> = {
  'watch.js': 'text/javascript; charset=utf-8',
  'watch.css': 'text/css; charset=utf-8',
}

/** Checks the scripts and styles of pages, which are cached for five minutes (docs/deploy.md), and the names of downloads. */
export function servedFiles({ visits, objects }: Pick<Evidence, 'visits' | 'objects'>): string[] {
  const atRest = visits.filter(({ isAtRest, status }) => isAtRest && status === 200)
  return atRest.flatMap((visit) => [...problemsOfAsset(visit), ...problemsOfDownloads(visit, objects)])
}

function problemsOfAsset({ address, headers, answer }: Visit): string[] {
  const [, name] = /^\/assets\/([^/?]+)$/.exec(address) ?? []
  if (name === undefined) return []
  const wrong = [
    ...(headers['content-type'] === TYPES[name] ? [] : ['type']),
    ...(headers['cache-control'] === 'public, max-age=300' ? [] : ['age in caches']),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['protection of its type']),
    ...(TYPES[name] !== undefined && answer === pageFileOf(name) ? [] : ['content']),
  ]
  return wrong.map((what) => `the file ${name} of pages has a wrong ${what}`)
}

/** Bytes of the name of a file, after which it is shortened. */
const MAX_NAME = 180

/** Returns true for the same name. Systems of files accept neither every character nor every length. */
function areSameName(given: string, wanted: string): boolean {
  const [one, other] = [posix.parse(given), posix.parse(wanted)]
  const [short, long] = [one, other].map(({ name }) => name.replace(/[^\p{L}\p{N}]/gu, '')) as [string, string]
  const isShortened = Buffer.byteLength(one.name) >= MAX_NAME && long.startsWith(short)
  return one.ext === other.ext && (short === long || isShortened)
}

/** A download of a recording has its titles and its day as its name. */
function problemsOfDownloads({ address, answer }: Visit, objects: Evidence['objects']): string[] {
  const [, archiveId] = /^\/watch\/([^/?]+)(?:\/embed)?(?:\?|$)/.exec(address) ?? []
  const manifest =
    archiveId === undefined ? undefined : documentIn<Manifest>(objects, `recordings/${archiveId}/manifest.json`)
  if (!manifest) return []
  const { page, show, createdAt } = manifest
  const titles = [page?.title, show?.name].flatMap((title) => title ?? [])
  const name = [...(titles.length > 0 ? titles : ['Recording']), createdAt.slice(0, 10)].join(' – ')
  return Object.values(readPage(answer).plain.links).flatMap((link) => {
    const { pathname, searchParams } = new URL(link)
    const disposition = searchParams.get('response-content-disposition') ?? ''
    const [, given = ''] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
    const wanted = name + posix.extname(pathname)
    return disposition.startsWith('attachment') && areSameName(decodeURIComponent(given), wanted)
      ? []
      : [`the download of ${archiveId} is saved as ${disposition} instead of ${wanted}`]
  })
}
