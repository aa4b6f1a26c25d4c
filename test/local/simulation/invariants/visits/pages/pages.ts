import { renderPage } from '../../../../../../lambdas/watch/render-page.ts'
import { pageFileOf } from '../../../../../../local/simulation/environment/guests/page-files.ts'
import { PLAIN, type Visit } from '../../../../../../local/simulation/visits/visitor.ts'
import { objectsOf, visited } from '../visited.ts'

export const title = '"Quotes" & <tags>'
export const objects = objectsOf({
  'recordings/x/manifest.json': {
    ...{ archiveId: 'x', access: 'public', createdAt: '2030-01-02T00:00:00.000Z', show: { name: 'program' } },
    page: { title, description: 'All of it.', cover: 'https://pictures.example.com/a.jpg' },
    source: { key: '1/x/archive.mp4' },
    files: [{ role: 'audio', key: 'recordings/x/audio.m4a' }],
  },
  'shows/a/request.json': { show: { name: 'Show', publish: { access: 'signed' } } },
})

const attachment = (name: string) =>
  `&response-content-disposition=${encodeURIComponent(`attachment; filename*=UTF-8''${encodeURIComponent(name)}`)}`
const file = (key: string, more = '') => `http://127.0.0.1/bucket/${key}?signed${more}`
const name = `${title} – program – 2030-01-02`

export const content = {
  titles: [title, 'program'],
  description: 'All of it.',
  preview: { address: `${PLAIN.origin}/watch/x`, image: 'https://pictures.example.com/a.jpg' },
  plain: {
    video: file('1/x/archive.mp4'),
    poster: 'https://pictures.example.com/a.jpg',
    links: [
      { text: 'Download', url: file('1/x/archive.mp4', attachment(`${name}.mp4`)) },
      { text: 'Download audio', url: file('recordings/x/audio.m4a', attachment(`${name}.m4a`)) },
    ],
  },
  isEmbed: false,
}
export const headers = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}
export const policy = (files: string, frames = "'none'") =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: http://127.0.0.1${files}`,
    'media-src blob: http://127.0.0.1',
    "connect-src 'self' http://127.0.0.1",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frames}`,
    "require-trusted-types-for 'script'",
  ].join('; ')

/** Makes up a visit of the page of the recording. */
export const pageVisit = (changes: Partial<typeof content> = {}, more: Partial<Visit> = {}): Visit =>
  visited('/watch/x', '', {
    accept: 'text/html',
    headers: { ...headers, 'content-security-policy': policy(' https://pictures.example.com') },
    answer: renderPage(pageFileOf('watch.html'), { ...content, ...changes }),
    ...more,
  })
