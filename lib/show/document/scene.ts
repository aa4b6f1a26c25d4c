import { z } from 'zod'
import { resolution } from '../../platform/contract/layouts.ts'
import { limits } from '../../platform/contract/limits.ts'
import { layoutClasses } from './fields/layout-classes.ts'
import { orderName } from './fields/order-names.ts'
import { plainUrl } from './fields/urls.ts'

/** One entry of `scenes`: a web page that takes part, rendered by the platform's Experience Composer. */
export const sceneOrder = z.strictObject({
  name: orderName.describe('Unique within its list; also the name of the stream.'),
  url: plainUrl(/^https?$/, 'must be the URL of a web page')
    .min(limits.composerUrlMin.value)
    .max(limits.composerUrlMax.value)
    .describe(
      'URL of a public page, each only once because a lost scene is found by it. It is stored and shown unchanged with its query: no secrets in it.',
    ),
  resolution: resolution.default('1280x720').describe('Width x height in pixels.'),
  maxDuration: z
    .int()
    .min(limits.composerDurationMin.value)
    .max(limits.composerDurationMax.value)
    .default(limits.composerDurationDefault.value)
    .describe('Seconds after which the scene ends, although the show continues.'),
  layoutClasses: layoutClasses.default([]).describe('Initial layout classes of its stream, up to 10.'),
})
