import { z } from 'zod'
import { never } from '../../platform/contract/schema-rules.ts'
import { isInborn } from './fields/texts.ts'

/** A reference to one key of a secret under the deployment's prefix for shows. Only the task that needs the value reads it. */
export const secretReference = z
  .strictObject({
    secret: z
      .string()
      .regex(
        /^[0-9A-Za-z/_+=.@-]{1,200}#[0-9A-Za-z_.-]{1,100}$/,
        'must be name#key: a secret’s name under the prefix for shows, and a key of its JSON',
      )
      .refine((text) => !text.split(/[/#]/).includes('..'), { message: 'must not leave the prefix for shows' })
      .refine((text) => !isInborn(text.split('#')[1] ?? ''), {
        message: 'must not name __proto__, constructor or prototype',
      })
      .refine((text) => !text.endsWith('.for'), {
        message: 'must not name a list of destinations: its key ends with .for',
      })
      .meta(never({ pattern: '(^|[/#])\\.\\.([/#]|$)|#(__proto__|constructor|prototype)$|\\.for$' }))
      .describe('Name of a secret under the prefix for shows, and a key of its JSON: name#key.'),
  })
  .describe('A secret by reference: { "secret": "name#key" }, never its value.')

export type SecretReference = z.output<typeof secretReference>

/** Returns the name of the secret below the prefix, and the key in its JSON object. */
export function parseReference({ secret }: SecretReference): { name: string; key: string } {
  const [name = '', key = ''] = secret.split('#')
  return { name, key }
}
