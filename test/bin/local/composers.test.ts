import { describe, expect, it } from 'vitest'
import { chooseComposers } from '../../../bin/local/composers.ts'

const program = process.execPath // any executable file
const withChromium = { environment: { CHROME_PATH: program }, node: '24.1.0' }
const without = { environment: {}, node: '24.1.0' }

describe('chooseComposers', () => {
  it('chooses Chromium if it is found', async () => {
    const chosen = { chromiumPath: program, description: `chromium (${program})` }
    expect(await chooseComposers(undefined, withChromium)).toEqual(chosen)
    expect(await chooseComposers('chromium', withChromium)).toEqual(chosen)
  })

  it('simulates pages on request', async () => {
    expect(await chooseComposers('simulated', withChromium)).toEqual({
      chromiumPath: undefined,
      description: 'simulated',
    })
  })

  it.each([
    [
      without,
      'no Chromium was found in PATH, and CHROME_PATH is not set',
      'install Chromium, or set CHROME_PATH to it',
    ],
    [
      { ...withChromium, driver: 'no-driver' },
      'the npm package no-driver is not installed',
      'run `npm install no-driver`',
    ],
    [{ ...withChromium, isStepped: true }, 'the clock is stepped', 'use the real clock'],
    [{ ...withChromium, node: '20.20.2' }, 'this is Node 20.20.2, not 22 or later', 'install Node 22 or later'],
  ])('with %j simulates them by default, and refuses Chromium', async (surroundings, reason, remedy) => {
    expect(await chooseComposers(undefined, surroundings)).toEqual({
      chromiumPath: undefined,
      description: `simulated (${reason})`,
      remedy,
    })
    await expect(chooseComposers('chromium', surroundings)).rejects.toThrow(
      `--composers chromium is not possible: ${reason}. Change that, or choose --composers simulated.`,
    )
  })
})
