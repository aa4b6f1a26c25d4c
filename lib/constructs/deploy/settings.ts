import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { z } from 'zod'
import { isOrigin, ORIGIN_RULE } from '../../api/allowed-origins.ts'
import { limits } from '../../platform/contract/limits.ts'
import { MIN_LIMIT } from '../../tasks/memory.ts'
import { ladder } from '../../tasks/rendition.ts'
import { type TaskName, tasks } from '../../tasks/tasks.ts'
import { DEFAULT_CONCURRENCY } from './definition.ts'

const limit = (rate: number, burst: number) =>
  z
    .strictObject({
      rate: z.int().min(1).max(10_000).default(rate).describe('Requests per second to each route.'),
      burst: z.int().min(1).max(5_000).default(burst).describe('Requests to each route at the same time.'),
    })
    .prefault({})

/** Reserved concurrency of a function, which is also its maximum. */
const reserved = z.int().min(1).max(1_000).optional()

/** Days for which the bucket keeps versions that were overwritten or hidden by a delete marker. */
export const FORMER_VERSIONS = 30

/** Tokens and the upload key are sent there, so it must be encrypted or on the same machine. */
const platformUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => !URL.canParse(url) || isEncryptedOrLoopback(new URL(url)),
    'must be https, unless it is on this machine',
  )

const isEncryptedOrLoopback = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)

/** Interval of a rotation schedule of Secrets Manager. */
const days = z.int().min(1).max(1_000)

/** Memory of a function: the range of Lambda. */
const megabytes = z.int().min(128).max(10_240)

/** The settings of a deployment: the CDK context `showrunner` in cdk.json, or `-c showrunner='{…}'`. */
const fields = z.strictObject({
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/)
    .default('dev')
    .describe(
      'Part of the stack’s name. Several deployments can share an account, each with its own platform project.',
    ),
  region: z.string().optional().describe('AWS region. Default: the region of the command line’s credentials.'),
  architecture: z
    .enum(['x86_64', 'arm64'])
    .default('x86_64')
    .describe(
      'Architecture of the functions and of the ffmpeg layer. It need not be that of the machine that deploys.',
    ),
  platform: z.strictObject({
    url: platformUrl.describe('Base URL of the video platform.'),
    insightsUrl: platformUrl.optional().describe('URL of its Insights; without it usage is not recorded.'),
    insights: z.enum(['basic', 'advanced']).default('basic').describe('advanced when the project has that add-on.'),
    authHeader: z.string().default('X-SERVICE-AUTH').describe('Header that carries the token.'),
    projectKey: z
      .string()
      .regex(/^\d+$/)
      .optional()
      .describe('Key of the platform project: then the platform can only upload below it.'),
    accountSecret: z
      .string()
      .regex(/^[0-9A-Za-z/_+=.@-]{1,512}$/)
      .optional()
      .describe('Name of a secret { "apiKey": "…", "apiSecret": "…" } of the account that owns the project.'),
    project: z
      .strictObject({
        name: z.string().min(1).describe('Name of the project, which the platform cannot change later.'),
        status: z.enum(['ACTIVE', 'SUSPENDED']).default('ACTIVE'),
      })
      .optional()
      .describe('Creates the project with the deployment, and deletes it with it; needs accountSecret.'),
  }),
  rotation: z
    .strictObject({
      uploadKeyDays: days.default(90).describe('Days between rotations of the key that the platform uploads with.'),
      projectSecretDays: days
        .optional()
        .describe('Days between rotations of the project’s secret; never by default; needs platform.accountSecret.'),
    })
    .prefault({}),
  identity: z.strictObject({
    issuer: z.url().describe('OIDC issuer of the API’s tokens.'),
    audience: z.string().default('showrunner'),
    roleClaim: z.string().min(1).default('scope').describe('Claim of the tokens that contains roles.'),
    viewer: z.string().min(1).default('showrunner/viewer').describe('Its value for callers who may read.'),
    operator: z
      .string()
      .min(1)
      .default('showrunner/operator')
      .describe('Its value for callers who may also start and control shows.'),
    admin: z
      .string()
      .min(1)
      .default('showrunner/admin')
      .describe(
        'Its value for callers who may also delete and restore recordings, and make them public. The value of operator gives operators both roles.',
      ),
  }),
  logs: z
    .strictObject({
      days: z
        .literal(Object.values(RetentionDays).filter((days) => typeof days === 'number'))
        .default(RetentionDays.THREE_MONTHS)
        .describe('Days for which logs are kept; 9999 for permanently.'),
      level: z
        .enum(['DEBUG', 'INFO', 'WARN', 'ERROR'])
        .default('INFO')
        .describe('The lowest level that functions log.'),
    })
    .prefault({}),
  tracing: z.boolean().default(true).describe('Traces functions and machines with X-Ray.'),
  concurrency: z
    .int()
    .min(1)
    .max(40)
    .default(DEFAULT_CONCURRENCY)
    .describe('Functions that one state of a show calls at once. New accounts can run ten in total.'),
  limits: z
    .strictObject({
      control: limit(500, 1_000).describe(
        'Limit of routes that change something. It is high, so that requests without a token do not use up what operators need to stop a show.',
      ),
      read: limit(50, 100).describe('Limit of routes that only read and need a token.'),
      public: limit(10, 20).describe('Limit of the routes of public recordings.'),
      watch: limit(200, 400).describe('Limit of watch pages, each of which sends about six requests.'),
      join: limit(50, 200).describe('Limit of the route at which participants exchange invitations.'),
      callbacks: limit(200, 1_000).describe(
        'Limit of the platform’s callbacks. A thousand participants who join within a minute cause two thousand.',
      ),
      platformCallsPerSecond: z
        .int()
        .min(1)
        .max(10_000)
        .default(limits.callsPerSecond.value)
        .describe('Calls of the platform that all functions make in a second, from its first answer 429 on.'),
      maxConcurrentPublishes: z
        .int()
        .min(1)
        .max(200)
        .default(10)
        .describe(
          'Archives that are published at once. Others wait: those that cannot be watched yet first, and short before long. A publish calls up to `concurrency` + 3 functions at a time.',
        ),
    })
    .prefault({})
    .describe(
      'Limits of rates and of work at once. Above those of routes API Gateway answers 429 without calling a function.',
    ),
  reservedConcurrency: z
    .strictObject({
      api: reserved.describe('Reserved concurrency of the API’s function.'),
      watch: reserved.describe('Reserved concurrency of the watch pages’ function.'),
      join: reserved.describe('Reserved concurrency of the function that admits participants.'),
      callbacks: reserved.describe('Reserved concurrency of the function that receives callbacks.'),
    })
    .prefault({})
    .describe(
      'Maximum concurrency of single functions, which AWS reserves for them: it keeps public routes from using up the functions of shows. Default: no maximum. AWS leaves at least 100 of an account unreserved, so an account of ten cannot set any.',
    ),
  memory: z
    .strictObject({
      most: megabytes
        .min(MIN_LIMIT, `must be at least ${MIN_LIMIT}, which every account allows`)
        .default(MIN_LIMIT)
        .describe('Maximum megabytes of a function. New accounts allow 3,008 until AWS raises that.'),
      tasks: z
        .partialRecord(z.enum(Object.keys(tasks) as TaskName[]), megabytes)
        .default({})
        .describe('Megabytes of single tasks’ functions instead of their defaults, such as { "encodePiece": 4096 }.'),
    })
    .prefault({}),
  alarms: z
    .strictObject({
      email: z.email().optional().describe('Address that alarms are sent to, after it has confirmed the subscription.'),
      runbookUrl: z
        .url({ protocol: /^https?$/ })
        .refine((url) => !url.includes('#'), 'must end before the #: each alarm adds its own heading')
        .optional()
        .describe('URL of your copy of docs/runbook.md, which alarms link to. Default: the path of the file.'),
    })
    .prefault({}),
  bucket: z
    .strictObject({
      archiveAfterDays: z
        .int()
        .min(1)
        .optional()
        .describe(
          'Days after which recordings move to a storage class that is cheaper to keep and more expensive to read.',
        ),
      undeleteDays: z
        .int()
        .min(0)
        .max(FORMER_VERSIONS)
        .default(7)
        .describe(
          'Days for which a deleted recording can be restored. Then every version of it and the platform’s copy are deleted. 0 deletes them at once.',
        ),
    })
    .prefault({}),
  watch: z
    .strictObject({
      cloudFront: z
        .boolean()
        .default(false)
        .describe('Puts CloudFront in front of watch pages: links lead there, and direct requests are refused.'),
      webAclArn: z
        .string()
        .regex(/^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\//, 'must be the ARN of a global web ACL of WAF')
        .optional()
        .describe('Web ACL of the distribution, with rate limits by address for example; needs cloudFront.'),
      embedIn: z
        .array(z.url({ protocol: /^https$/ }).regex(/^https:\/\/[^/\s;]+$/, 'must be an origin, without a path'))
        .max(20)
        .default([])
        .describe('Origins of pages that may embed the watch page. Default: none.'),
    })
    .prefault({}),
  allowedOrigins: z
    .array(z.string().refine(isOrigin, ORIGIN_RULE))
    .max(20)
    .default([])
    .describe('Origins whose pages may call the API from a browser (CORS). Default: none.'),
  joinUrl: z
    .url({ protocol: /^https$/ })
    .refine((url) => !url.includes('#'), 'must have no #, which the invitation follows')
    .optional()
    .describe(
      'Page of your app that opens invitations: links lead there, with the invitation after #invitation=. Default: no page, and only the invitation is answered.',
    ),
  ladder: ladder.describe('Renditions of recordings, as far as they are smaller than the recording.'),
  ffmpegLayer: z.string().startsWith('arn:').optional().describe('ARN of a Lambda layer with /opt/bin/ffmpeg.'),
})

/** The settings of a deployment, checked for settings that need or exclude each other. */
export const settings = fields.superRefine(({ platform, rotation, memory, watch }, { addIssue }) => {
  if (watch.webAclArn !== undefined && !watch.cloudFront)
    addIssue({ code: 'custom', path: ['watch', 'webAclArn'], message: 'needs watch.cloudFront' })
  for (const [task, asked] of Object.entries(memory.tasks)) {
    if (asked <= memory.most) continue
    const message = `is more than memory.most, which is ${memory.most}: raise that as well`
    addIssue({ code: 'custom', path: ['memory', 'tasks', task], message })
  }
  if (platform.project && platform.projectKey) {
    const message = 'must be absent with platform.project: the project that the deployment creates gets its own key'
    addIssue({ code: 'custom', path: ['platform', 'projectKey'], message })
  }
  if (platform.accountSecret) return
  const message = 'needs platform.accountSecret, which is absent'
  if (platform.project) addIssue({ code: 'custom', path: ['platform', 'project'], message })
  if (rotation.projectSecretDays) addIssue({ code: 'custom', path: ['rotation', 'projectSecretDays'], message })
})

export type Settings = z.output<typeof settings>

/**
 * Parses the settings of a deployment.
 * @param context an object from cdk.json, or its JSON from the command line, which CDK passes on as text
 * @throws Error that names every invalid setting
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
    throw new Error(`The CDK context showrunner is not JSON (${(cause as Error).message}). Quote it as one argument.`, {
      cause,
    })
  }
}
