import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../local/root.ts'

/** What a deployment named at its end, such as `ApiUrl`. */
export type Outputs = Readonly<Record<string, string>>

/** Where `deploy` has the CDK keep the outputs of a stage: nothing secret is among them. */
export const outputsFileOf = (stage: string, folder = join(root, '.showrunner/deployments')) =>
  join(folder, `${stage}.json`)

/** The stack of a stage, by the name that `bin/app.ts` gives it. */
export const stackOf = (stage: string) => `Showrunner-${stage}`

/** @throws Error in one sentence when nothing was deployed from this checkout */
export async function readOutputs(stage: string, folder?: string): Promise<Outputs> {
  if (!/^[a-z][a-z0-9-]*$/.test(stage)) throw new Error(`${stage} is no stage: small letters, digits and dashes.`)
  const path = outputsFileOf(stage, folder)
  try {
    const outputs = JSON.parse(await readFile(path, 'utf8'))[stackOf(stage)]
    if (typeof outputs?.ApiUrl === 'string') return outputs
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(
        `The stage ${stage} was not deployed from this checkout: give the ApiUrl of its stack by --url, or deploy it by \`npm run showrunner -- deploy --stage ${stage}\`.`,
        { cause },
      )
    if (!(cause instanceof SyntaxError)) throw cause
  }
  throw new Error(`The outputs of the stage ${stage} cannot be read from ${path}: deploy it again.`)
}
