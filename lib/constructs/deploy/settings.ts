import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { z } from 'zod'
import { MIN_LIMIT } from '../../tasks/memory.ts'
import { ladder } from '../../tasks/rendition.ts'
import { type TaskName, tasks } from '../../tasks/tasks.ts'
import { DEFAULT_CONCURRENCY } from './definition.ts'

/** Requests to one route: how many a second, and how many more at one moment. */
const limit = (rate: number, burst: number) =>
  z
    .strictObject({
      rate: z.int().min(1).max(10_000).default(rate).describe('Requests a second to each route.'),
      burst: z.int().min(1).max(5_000).default(burst).describe('Requests to each route at one moment.'),
    })
    .prefault({})

/** Functions that AWS keeps free for one caller, and never runs more of. */
const reserved = z.int().min(1).max(1_000).optional()

/** Days for which the bucket keeps what was overwritten or covered by a delete marker. */
export const FORMER_VERSIONS = 30

/** Tokens and the upload key travel there: unencrypted on one machine only. */
const platformUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => !URL.canParse(url) || isEncryptedOrLoopback(new URL(url)),
    'must be https, unless it is on this machine',
  )

const isEncryptedOrLoopback = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)

/** Of a schedule of Secrets Manager. */
const days = z.int().min(1).max(1_000)

/** Of a function: Lambda gives no more and no less. */
const megabytes = z.int().min(128).max(10_240)

/** What a deployment chooses: the CDK context `showrunner` in cdk.json, or `-c showrunner='{…}'`. */
const fields = z.strictObject({
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/)
    .default('dev')
    .describe(
      'Part of the stack’s name: several deployments can share an account, each with a platform project of its own.',
    ),
  region: z.string().optional().describe('AWS region; the one of the command line’s credentials when absent.'),
  architecture: z
    .enum(['x86_64', 'arm64'])
    .default('x86_64')
    .describe('Of the functions, and so of the ffmpeg layer; whichever machine deploys them.'),
  platform: z.strictObject({
    url: platformUrl.describe('Base URL of the video platform.'),
    insightsUrl: platformUrl.optional().describe('URL of its Insights; without it nobody asks what was used.'),
    insights: z.enum(['basic', 'advanced']).default('basic').describe('advanced where the project has that add-on.'),
    authHeader: z.string().default('X-SERVICE-AUTH').describe('Header that carries the token.'),
    projectKey: z
      .string()
      .regex(/^\d+$/)
      .optional()
      .describe('Key of the platform project: the platform may then upload below it and nowhere else.'),
    accountSecret: z
      .string()
      .regex(/^[0-9A-Za-z/_+=.@-]{1,512}$/)
      .optional()
      .describe('Name of a secret { "apiKey": "…", "apiSecret": "…" } of the account that owns the project.'),
    project: z
      .strictObject({
        name: z.string().min(1).describe('The platform cannot rename a project: once deployed, it stays.'),
        status: z.enum(['ACTIVE', 'SUSPENDED']).default('ACTIVE'),
      })
      .optional()
      .describe('Makes the project with the deployment and deletes it with it; needs accountSecret.'),
  }),
  rotation: z
    .strictObject({
      uploadKeyDays: days.default(90).describe('How often the key is replaced that the platform uploads with.'),
      projectSecretDays: days
        .optional()
        .describe('How often the secret of the project is replaced, never when absent; needs platform.accountSecret.'),
    })
    .prefault({}),
  identity: z.strictObject({
    issuer: z.url().describe('OIDC issuer of the tokens that callers of the API carry.'),
    audience: z.string().default('showrunner'),
    roleClaim: z.string().min(1).default('scope').describe('Claim of the tokens that holds their bearer’s roles.'),
    viewer: z.string().min(1).default('showrunner/viewer').describe('What it says of somebody who may read.'),
    operator: z
      .string()
      .min(1)
      .default('showrunner/operator')
      .describe('What it says of somebody who may start and control shows.'),
    admin: z
      .string()
      .min(1)
      .default('showrunner/admin')
      .describe(
        'What it says of somebody who may also delete and restore recordings, and publish them for everybody; the same word as operator gives operators both roles.',
      ),
  }),
  logs: z
    .strictObject({
      days: z
        .literal(Object.values(RetentionDays).filter((days) => typeof days === 'number'))
        .default(RetentionDays.THREE_MONTHS)
        .describe('How long they are kept; 9999 for ever.'),
      level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO').describe('The least that functions write.'),
    })
    .prefault({}),
  tracing: z.boolean().default(true).describe('Whether functions and machines are traced by X-Ray.'),
  concurrency: z
    .int()
    .min(1)
    .max(40)
    .default(DEFAULT_CONCURRENCY)
    .describe('How many functions one step of a show calls at once; new accounts may run ten in all.'),
  limits: z
    .strictObject({
      control: limit(500, 1_000).describe(
        'Of routes that change something. They are high, so that requests without a token, which no function gets to see, do not use up what operators need to stop a show.',
      ),
      read: limit(50, 100).describe('Of routes that only read, for which callers need a token.'),
      public: limit(10, 20).describe('Of routes that anybody may call and that read recordings.'),
      watch: limit(200, 400).describe('Of watch pages, each of which asks for half a dozen things.'),
      callbacks: limit(200, 1_000).describe(
        'Of the platform’s callbacks. A thousand guests who join within a minute are two thousand of them.',
      ),
    })
    .prefault({})
    .describe('Beyond these API Gateway answers 429, and no function is called.'),
  reservedConcurrency: z
    .strictObject({
      api: reserved.describe('Of the function behind the API.'),
      watch: reserved.describe('Of the function behind watch pages.'),
      callbacks: reserved.describe('Of the function that takes the platform’s callbacks.'),
    })
    .prefault({})
    .describe(
      'How many of each function may run at once, which the account then keeps free for it: public routes leave everything else to the tasks of shows. Each is without a bound when absent. AWS leaves at least 100 of an account unreserved, so an account of ten can set none.',
    ),
  memory: z
    .strictObject({
      most: megabytes
        .min(MIN_LIMIT, `must be ${MIN_LIMIT} at least, which every account gives`)
        .default(MIN_LIMIT)
        .describe('Megabytes that no function gets more of; new accounts give 3,008 until they ask for more.'),
      tasks: z
        .partialRecord(z.enum(Object.keys(tasks) as TaskName[]), megabytes)
        .default({})
        .describe('Megabytes of single tasks’ functions, in the place of their own, such as { "encodePiece": 4096 }.'),
    })
    .prefault({}),
  alarms: z
    .strictObject({
      email: z.email().optional().describe('Address that alarms are sent to, once it has agreed.'),
      runbookUrl: z
        .url({ protocol: /^https?$/ })
        .refine((url) => !url.includes('#'), 'must end before the #: each alarm adds its own heading')
        .optional()
        .describe('Where your people read docs/runbook.md: alarms link there. Without it they name the file.'),
    })
    .prefault({}),
  bucket: z
    .strictObject({
      archiveAfterDays: z
        .int()
        .min(1)
        .optional()
        .describe('Days after which recordings move to a storage that is cheaper to keep and dearer to read.'),
      undeleteDays: z
        .int()
        .min(0)
        .max(FORMER_VERSIONS)
        .default(7)
        .describe(
          'Days for which a recording that was deleted can be restored; then every version of it and the platform’s copy are deleted. 0 deletes them at once.',
        ),
    })
    .prefault({}),
  watch: z
    .strictObject({
      cloudFront: z
        .boolean()
        .default(false)
        .describe('Puts CloudFront in front of watch pages: links lead there, and requests past it are refused.'),
      webAclArn: z
        .string()
        .regex(/^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\//, 'must be the ARN of a global web ACL of WAF')
        .optional()
        .describe('Web ACL of the distribution, with rate limits by address for example; needs cloudFront.'),
      embedIn: z
        .array(z.url({ protocol: /^https$/ }).regex(/^https:\/\/[^/\s;]+$/, 'must be an origin, without a path'))
        .max(20)
        .default([])
        .describe('Origins of pages that may show the watch page in a frame; none by default.'),
    })
    .prefault({}),
  ladder: ladder.describe('Sizes in which recordings are published beside their own; none is ever larger.'),
  ffmpegLayer: z.string().startsWith('arn:').optional().describe('ARN of a Lambda layer with /opt/bin/ffmpeg.'),
})

/** As above, none that needs another one which is absent, and none that another one contradicts. */
export const settings = fields.superRefine(({ platform, rotation, memory, watch }, { addIssue }) => {
  if (watch.webAclArn !== undefined && !watch.cloudFront)
    addIssue({ code: 'custom', path: ['watch', 'webAclArn'], message: 'needs watch.cloudFront' })
  for (const [task, asked] of Object.entries(memory.tasks)) {
    if (asked <= memory.most) continue
    const message = `is more than memory.most, which is ${memory.most}: raise that as well`
    addIssue({ code: 'custom', path: ['memory', 'tasks', task], message })
  }
  if (platform.project && platform.projectKey) {
    const message = 'has to go where platform.project stands: what the deployment makes has a key of its own'
    addIssue({ code: 'custom', path: ['platform', 'projectKey'], message })
  }
  if (platform.accountSecret) return
  const message = 'needs platform.accountSecret, which is absent'
  if (platform.project) addIssue({ code: 'custom', path: ['platform', 'project'], message })
  if (rotation.projectSecretDays) addIssue({ code: 'custom', path: ['rotation', 'projectSecretDays'], message })
})

export type Settings = z.output<typeof settings>

/**
 * @param context an object from cdk.json, or its JSON from the command line, which CDK hands on as text
 * @throws Error naming every setting that is wrong
 */
export function readSettings(context: unknown): Settings {
  const parsed = settings.safeParse(typeof context === 'string' ? readJson(context) : (context ?? {}))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${['showrunner', ...path].join('.')}: ${message}`)
  throw new Error(`The CDK context is not valid (see cdk.json). ${problems.join('; ')}.`)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`The CDK context showrunner is not JSON (${(cause as Error).message}): quote it as one argument.`, {
      cause,
    })
  }
}
