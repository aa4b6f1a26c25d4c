import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createShowrunner } from 'showrunner'

const { SHOWRUNNER_URL = '', SHOWRUNNER_TOKEN = '', FOLDER = '.', EPISODE = 'Episode 42' } = process.env
const showrunner = createShowrunner({ url: SHOWRUNNER_URL, token: SHOWRUNNER_TOKEN })

const { showId } = await showrunner.shows.start(
  {
    version: 1.1,
    name: EPISODE,
    duration: 3600,
    recordings: [
      { name: 'tracks', outputMode: 'individual' },
      { name: 'mix', hasVideo: false },
    ],
    publish: { formats: ['audio', 'chapters'] },
  },
  { idempotencyKey: EPISODE },
)
console.log(`Recording ${showId}`)

const { show, recordings } = await showrunner.shows.waitFor(showId, 'published')
console.log(`${show.result?.status}: ${show.result?.reason}`)

for (const { show: of, source, files, streams = [] } of recordings) {
  const audio = files.find(({ role, key }) => role === 'audio' && key.endsWith('.m4a'))
  const { url } = of?.name === 'tracks' ? source : (audio ?? source)
  const file = `${EPISODE} ${of?.name}.${of?.name === 'tracks' ? 'zip' : 'm4a'}`
  await download(url, `${FOLDER}/${file}`)
  console.log(file)
  for (const { file: track, start, stop } of streams) console.log(`  ${track}  ${start} s to ${stop} s`)
}

/** Downloads a file. It streams, so its size does not matter. */
async function download(url: string, path: string) {
  const { ok, status, body } = await fetch(url)
  if (!ok || !body) throw new Error(`The download of ${path} was answered with ${status}.`)
  await pipeline(Readable.fromWeb(body), createWriteStream(path))
}
