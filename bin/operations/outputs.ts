import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { workFolder } from '../local/root.ts'

/** Outputs of a deployed stack, such as `ApiUrl`. */
export type Outputs = Readonly<Record<string, string>>

/** Returns the file in which `deploy` keeps the outputs of a stage. They contain no secret. */
export const outputsFileOf = (stage: string, folder = join(workFolder, '.showrunner/deployments')) =>
  join(folder, `${stage}.json`)

/** Returns the name that `bin/app.ts` gives the stack of a stage. */
export const stackOf = (stage: string) => `Showrunner-${stage}`

/** Reads the outputs of a stage. @throws Error when the stage was not deployed from this checkout */
export async function readOutputs(stage: string, folder?: string): Promise<Outputs> {
  if (!/^[a-z][a-z0-9-]*$/.test(stage))
    throw new Error(`${stage} is not a stage. Use small letters, digits and dashes.`)
  const path = outputsFileOf(stage, folder)
  try {
    const outputs = JSON.parse(await readFile(path, 'utf8'))[stackOf(stage)]
    if (typeof outputs?.ApiUrl === 'string') return outputs
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(
        `The stage ${stage} was not deployed from this folder. Pass the ApiUrl of its stack with --url, or deploy it from a checkout with \`npm run showrunner -- deploy --stage ${stage}\`.`,
        { cause },
      )
    if (!(cause instanceof SyntaxError)) throw cause
  }
  throw new Error(`The outputs of the stage ${stage} cannot be read from ${path}. Deploy it again.`)
}
