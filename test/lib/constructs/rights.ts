import type { Need } from '../../../lib/workflow/environment.ts'

export const inAccount = (service: string, resource: string) =>
  `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${resource}`
export const machine = (name: string, kind = 'stateMachine') => inAccount('states', `${kind}:showrunner-live-${name}`)
export const secret = (name: string, ...actions: readonly string[]) =>
  actions.map((action) => `secretsmanager:${action} on <PlatformAccess${name}>`)
export const readSecret = (name: string) => secret(name, 'GetSecretValue')
export const objects = (actions: readonly string[], ...patterns: string[]) =>
  actions.flatMap((action) => patterns.map((pattern) => `s3:${action} on <Bucket.Arn>/${pattern}`))
export const listing = (...prefixes: string[]) => [`s3:ListBucket on <Bucket.Arn> with ${prefixes.join(' ')}`]

/** What each need allows in the stack of the tests, stated once more and independently: the whole of what a function may do. */
export const allowed: Readonly<Record<Need, readonly string[]>> = {
  platform: readSecret('ProjectSecret'),
  uploadKey: readSecret('UploadKey'),
  uploadKeyRotation: [
    ...['CreateAccessKey', 'DeleteAccessKey', 'ListAccessKeys', 'UpdateAccessKey'].map(
      (action) => `iam:${action} on <PlatformAccessUploader.Arn>`,
    ),
    ...secret('UploadKey', 'DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'),
  ],
  projectSecretRotation: secret(
    'ProjectSecret',
    ...['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
  ),
  projectSecret: secret('ProjectSecret', 'GetSecretValue', 'PutSecretValue'),
  account: [`secretsmanager:GetSecretValue on ${inAccount('secretsmanager', 'secret:platform/account-??????')}`],
  maintenance: [...objects(['GetObject'], 'maintenance.json'), ...listing('maintenance.json')],
  maintenanceWork: [
    ...objects(['GetObject', 'PutObject', 'DeleteObject'], 'maintenance.json'),
    ...listing('maintenance.json'),
  ],
  showRecords: [
    ...objects(['GetObject'], 'shows/*/request.json', 'shows/*/state.json'),
    ...objects(['PutObject'], 'shows/*/state.json'),
    ...listing('shows/*'),
  ],
  showAcceptance: objects(['PutObject'], 'shows/*/request.json', 'index/shows/*', 'index/unfinished/*'),
  showResults: objects(['GetObject', 'PutObject'], 'shows/*/result.json'),
  showLists: listing('index/shows/*'),
  unfinishedShows: listing('index/unfinished/*'),
  settling: [...objects(['PutObject'], 'index/usage/*'), ...objects(['DeleteObject'], 'index/unfinished/*')],
  showRequests: [...objects(['GetObject'], 'shows/*/request.json'), ...listing('shows/*/request.json')],
  showStates: [...objects(['GetObject'], 'shows/*/state.json'), ...listing('shows/*/state.json')],
  archives: [...objects(['GetObject'], '*/archive.mp4', '*/archive.zip'), ...listing('*/archive.mp4', '*/archive.zip')],
  rescues: [
    ...objects(['GetObject', 'PutObject', 'AbortMultipartUpload'], '*/archive.mp4', '*/archive.zip'),
    ...listing('*/archive.mp4', '*/archive.zip'),
  ],
  recordings: [
    ...objects(['GetObject', 'PutObject', 'PutObjectTagging'], 'recordings/*', 'index/recordings/*'),
    ...listing('recordings/*', 'index/recordings/*'),
  ],
  retention: objects(['PutObjectTagging'], '*/archive.mp4', '*/archive.zip'),
  publishedFiles: [
    ...objects(['GetObject'], '*/archive.mp4', '*/archive.zip', 'recordings/*', 'index/recordings/*'),
    ...listing('recordings/*', 'index/recordings/*'),
  ],
  showSecrets: [`secretsmanager:GetSecretValue on ${inAccount('secretsmanager', 'secret:showrunner/live/shows/*')}`],
  showExecutions: [
    `states:StartExecution on ${machine('show')}`,
    `states:DescribeExecution on ${machine('show', 'execution')}:*`,
  ],
  schedules: [
    ...['CreateSchedule', 'DeleteSchedule', 'GetSchedule', 'UpdateSchedule'].map(
      (action) => `scheduler:${action} on ${inAccount('scheduler', 'schedule/showrunner-live/*')}`,
    ),
    'iam:PassRole on <SchedulesRole.Arn> with {"StringEquals":{"iam:PassedToService":"scheduler.amazonaws.com"}}',
  ],
  callbackReach: [],
  callbacks: ['secretsmanager:GetSecretValue on <CallbackSecret>'],
  deletions: [
    ...objects(
      ['DeleteObject', 'DeleteObjectVersion'],
      ...['*/archive.mp4', '*/archive.zip', 'recordings/*', 'index/recordings/*'],
    ),
    ...['ListBucket', 'ListBucketVersions'].map(
      (action) => `s3:${action} on <Bucket.Arn> with */archive.mp4 */archive.zip recordings/* index/recordings/*`,
    ),
  ],
  rebuilds: ['StartExecution', 'ListExecutions'].map((action) => `states:${action} on ${machine('publish')}`),
  roles: [],
  insights: [],
  usage: [...objects(['GetObject'], 'usage/*', 'shows/*/usage.json'), ...listing('usage/*', 'shows/*/usage.json')],
  usageRecording: [
    ...objects(['PutObject'], 'usage/*', 'shows/*/usage.json'),
    ...objects(['DeleteObject'], 'index/usage/*'),
    ...listing('index/usage/*'),
  ],
  platformCallbacks: [
    'secretsmanager:GetSecretValue on <PlatformCallbacksSecret>',
    'events:PutEvents on <PlatformCallbacksBus.Arn>',
    ...objects(['GetObject', 'PutObject'], 'callbacks/*'),
    ...listing('callbacks/*'),
  ],
  publishMachine: [
    `states:StartExecution on ${machine('publish')}`,
    `states:RedriveExecution on ${machine('publish', 'execution')}:*`,
  ],
  events: [`events:PutEvents on ${inAccount('events', 'event-bus/default')}`],
  ffmpeg: [],
}

const bucketNeeds = [
  'uploadKey',
  'showRecords',
  'showAcceptance',
  'showResults',
  'showLists',
  'unfinishedShows',
  'settling',
  'showRequests',
  'showStates',
  'archives',
  'rescues',
  'recordings',
  'retention',
  'publishedFiles',
  'maintenance',
  'maintenanceWork',
  'deletions',
  'usage',
  'usageRecording',
  'platformCallbacks',
] as const

/** The value of every environment variable, and the needs that bring it. */
export const environment: readonly [string, string, readonly Need[]][] = [
  ['BUCKET', '<Bucket>', bucketNeeds],
  ['PLATFORM_URL', '<PlatformUrl>', ['platform', 'account']],
  ['PLATFORM_AUTH_HEADER', 'X-AUTH', ['platform', 'account']],
  ['PLATFORM_SECRET', '<PlatformAccessProjectSecret>', ['platform', 'projectSecretRotation', 'projectSecret']],
  ['ACCOUNT_SECRET', 'platform/account', ['account']],
  ['UPLOAD_SECRET', '<PlatformAccessUploadKey>', ['uploadKey', 'uploadKeyRotation']],
  ['UPLOAD_USER', '<PlatformAccessUploader>', ['uploadKeyRotation']],
  ['UPLOAD_ENDPOINT', '<UploadEndpoint>', ['uploadKey']],
  ['SHOW_MACHINE', machine('show'), ['showExecutions']],
  ['SHOW_SECRETS', 'showrunner/live/shows/', ['showSecrets']],
  ['CALLBACK_SECRET', '<CallbackSecret>', ['callbacks']],
  ['CALLBACK_REACH', '<CallbackReach>', ['callbacks', 'callbackReach']],
  ['SCHEDULE_GROUP', '<SchedulesGroup>', ['schedules']],
  ['SCHEDULE_ROLE', '<SchedulesRole.Arn>', ['schedules']],
  ['SCHEDULE_TARGET', '<StartShow.Arn>', ['schedules']],
  ['PUBLISH_MACHINE', machine('publish'), ['publishMachine', 'rebuilds']],
  ['ROLE_CLAIM', 'scope', ['roles']],
  ['VIEWER_ROLE', 'showrunner/viewer', ['roles']],
  ['OPERATOR_ROLE', 'showrunner/operator', ['roles']],
  ['INSIGHTS_URL', '<InsightsUrl>', ['insights']],
  ['INSIGHTS_PLAN', 'basic', ['insights']],
  ['PLATFORM_CALLBACKS', '<PlatformCallbacksSecret>', ['platformCallbacks']],
  ['PLATFORM_EVENT_BUS', '<PlatformCallbacksBus>', ['platformCallbacks']],
  ['SCHEDULE_DEAD_LETTERS', '<StartShowDeadLetters.Arn>', ['schedules']],
  ['EVENT_BUS', 'default', ['events']],
  ['FFMPEG_PATH', '<FfmpegPath>', ['ffmpeg']],
]
