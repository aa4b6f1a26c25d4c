// Records a session for some seconds with the SDK "opentok", and downloads the file: the script that Showrunner replaces.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import OpenTok from 'opentok'

const {
  API_KEY,
  API_SECRET,
  API_URL,
  SESSION_ID,
  SECONDS = '3600',
  POLL_SECONDS = '10',
  FILE = 'program.mp4',
} = process.env
const opentok = new OpenTok(API_KEY, API_SECRET, API_URL)
const startArchive = promisify(opentok.startArchive.bind(opentok))
const stopArchive = promisify(opentok.stopArchive.bind(opentok))
const getArchive = promisify(opentok.getArchive.bind(opentok))

let { id, status, url } = await startArchive(SESSION_ID, { name: 'program', resolution: '1280x720' })
await sleep(Number(SECONDS) * 1000)
await stopArchive(id)
while (status !== 'available') {
  await sleep(Number(POLL_SECONDS) * 1000)
  ;({ status, url } = await getArchive(id))
  if (status === 'failed') throw new Error(`Archive ${id} failed.`)
}
await pipeline(Readable.fromWeb((await fetch(url)).body), createWriteStream(FILE))
console.log(`Recorded ${FILE}`)
