import type { SecretReference } from './secret-reference.ts'
import type { Show } from './show.ts'

/** One place of a show document that refers to a secret. */
export interface SecretUse {
  /** Path in the document, such as `broadcasts[0].rtmp[1].streamName`. */
  readonly path: string
  readonly reference: SecretReference
  /** URL that the value is sent to. */
  readonly destination: string
}

/** Returns every reference to a secret in a show. */
export const secretUsesIn = ({ broadcasts, dialIns, callback }: Show): SecretUse[] => [
  ...broadcasts.flatMap(({ rtmp }, index) =>
    rtmp.map(({ streamName: reference, serverUrl: destination }, place) => {
      return { path: `broadcasts[${index}].rtmp[${place}].streamName`, reference, destination }
    }),
  ),
  ...dialIns.flatMap(({ uri: destination, headers, auth, tones }, index) => {
    const values: [string, string | SecretReference | undefined][] = [
      ...Object.entries(headers).map(([name, value]) => [`headers.${name}`, value] as [string, typeof value]),
      ['auth.password', auth?.password],
      ['tones', tones],
    ]
    return values.flatMap(([field, value]) =>
      value === undefined || typeof value === 'string'
        ? []
        : [{ path: `dialIns[${index}].${field}`, reference: value, destination }],
    )
  }),
  ...(callback?.secret ? [{ path: 'callback.secret', reference: callback.secret, destination: callback.url }] : []),
]
