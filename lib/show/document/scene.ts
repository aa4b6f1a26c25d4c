import { z } from 'zod'
import { resolution } from '../../platform/contract/layouts.ts'
import { limits } from '../../platform/contract/limits.ts'
import { layoutClasses } from './fields/layout-classes.ts'
import { orderName } from './fields/order-names.ts'
import { plainUrl } from './fields/urls.ts'

/** One entry of `scenes`: a web page that takes part, rendered by the platform's Experience Composer. */
export const sceneOrder = z.strictObject({
  name: orderName.describe('Unique within its list; the name of the stream.'),
  url: plainUrl(/^https?$/, 'must be the URL of a web page')
    .min(limits.composerUrlMin.value)
    .max(limits.composerUrlMax.value)
    .describe(
      'Of a public page; each page once, since it is what a lost scene is found again by. It is stored and shown as it is, its query too: no secrets in it.',
    ),
  resolution: resolution.default('1280x720').describe('Width x height in pixels.'),
  maxDuration: z
    .int()
    .min(limits.composerDurationMin.value)
    .max(limits.composerDurationMax.value)
    .default(limits.composerDurationDefault.value)
    .describe('Seconds after which the scene ends, though the show goes on.'),
  layoutClasses: layoutClasses.default([]).describe('Layout classes of its stream from the start, up to 10.'),
})
