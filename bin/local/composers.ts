import { createRequire } from 'node:module'
import { findChromium } from '../../local/sandbox/composers/chromium/find-chromium.ts'

/** Values of the option `--composers`. */
export const composerKinds = ['simulated', 'chromium'] as const
export type ComposerKind = (typeof composerKinds)[number]

/** Description of the option `--composers`. */
export const composersHelp =
  'pages of composers: rendered by Chromium, or a generated picture (default: chromium if found)'

/** The pages of composers in a sandbox. */
export interface ComposerChoice {
  /** Path of Chromium; undefined when pages are simulated. */
  readonly chromiumPath: string | undefined
  /** Sentence fragment for the user, with the reason where there was no choice. */
  readonly description: string
  /** What makes Chromium possible, as an imperative clause; undefined where it was not wanted or is used. */
  readonly remedy?: string
}

export interface ComposerSurroundings {
  readonly isStepped?: boolean
  /** Version of Node. @default the running one */
  readonly node?: string
  readonly environment?: NodeJS.ProcessEnv
  /** The npm package that drives Chromium. An installed Showrunner has it only if the user has installed it. */
  readonly driver?: string
}

/** WebRTC, by which the browser publishes, needs it. */
const MIN_NODE = 22

/**
 * Chooses how composers show their pages: by Chromium if that is possible.
 * @param wanted value of `--composers`; undefined without the option
 * @throws Error when Chromium is wanted and cannot be used
 */
export async function chooseComposers(
  wanted: ComposerKind | undefined,
  {
    isStepped = false,
    node = process.versions.node,
    environment = process.env,
    driver = 'playwright-core',
  }: ComposerSurroundings = {},
): Promise<ComposerChoice> {
  if (wanted === 'simulated') return { chromiumPath: undefined, description: 'simulated' }
  const obstacle = obstacleOf({ isStepped, node, driver })
  const chromiumPath = obstacle === undefined ? await findChromium(environment) : undefined
  if (chromiumPath !== undefined) return { chromiumPath, description: `chromium (${chromiumPath})` }
  const { reason, remedy } = obstacle ?? NO_CHROMIUM
  if (wanted === 'chromium')
    throw new Error(`--composers chromium is not possible: ${reason}. Change that, or choose --composers simulated.`)
  return { chromiumPath: undefined, description: `simulated (${reason})`, remedy }
}

interface Obstacle {
  readonly reason: string
  readonly remedy: string
}

const NO_CHROMIUM: Obstacle = {
  reason: 'no Chromium was found in PATH, and CHROME_PATH is not set',
  remedy: 'install Chromium, or set CHROME_PATH to it',
}

/** Returns what prevents Chromium from being used, apart from Chromium itself. */
function obstacleOf({
  isStepped,
  node,
  driver,
}: Required<Pick<ComposerSurroundings, 'isStepped' | 'node' | 'driver'>>): Obstacle | undefined {
  if (isStepped) return { reason: 'the clock is stepped', remedy: 'use the real clock' }
  if (Number.parseInt(node, 10) < MIN_NODE) {
    const remedy = `install Node ${MIN_NODE} or later`
    return { reason: `this is Node ${node}, not ${MIN_NODE} or later`, remedy }
  }
  if (isInstalled(driver)) return undefined
  return { reason: `the npm package ${driver} is not installed`, remedy: `run \`npm install ${driver}\`` }
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
