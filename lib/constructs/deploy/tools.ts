import { readFileSync } from 'node:fs'

/** Versions of the tools that publish recordings, except ffmpeg, which reports its own. */
export function toolsOfPublishing(): Record<string, string> {
  const { version, dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return { showrunner: version, mediabunny: dependencies.mediabunny }
}
