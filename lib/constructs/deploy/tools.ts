import { readFileSync } from 'node:fs'

/** Versions of what recordings are published with, beside ffmpeg, which tells its own. */
export function toolsOfPublishing(): Record<string, string> {
  const { version, dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return { showrunner: version, mediabunny: dependencies.mediabunny }
}
