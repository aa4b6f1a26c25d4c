/** Every environment variable a function may have: the constructs write them, the services read them. */
export const variables = {
  BUCKET: 'Name of the bucket that holds records and recordings.',
  PLATFORM_URL: 'Base URL of the video platform.',
  PLATFORM_AUTH_HEADER: 'Name of the header that carries the platform token.',
  PLATFORM_SECRET: 'Id of the secret `{ apiKey, apiSecret }` of the platform project.',
  UPLOAD_SECRET: 'Id of the secret `{ accessKeyId, secretAccessKey }` with which the platform uploads.',
  UPLOAD_USER: 'Name of the IAM user as whom the platform uploads.',
  ACCOUNT_SECRET: 'Id of the secret `{ apiKey, apiSecret }` of the account at the platform that owns the project.',
  UPLOAD_ENDPOINT: 'S3 endpoint the platform uploads to; `aws` for the standard one.',
  SHOW_MACHINE: 'ARN of the show machine.',
  PUBLISH_MACHINE: 'ARN of the publish machine.',
  SHOW_SECRETS: 'Prefix of the names of secrets that shows may refer to.',
  CALLBACK_SECRET: 'Id of the secret with which callbacks to event apps are signed in HS256.',
  CALLBACK_KEY: 'Id of the secret from which the key pair is derived that signs callbacks to event apps.',
  WATCH_SECRET: 'Id of the secret with which links to watch pages are signed.',
  WATCH_ORIGIN: 'Origin of links to watch pages; `api` for that of the API itself.',
  ORIGIN_SECRET: 'Id of the secret that only the distribution in front of watch pages sends; `none` without one.',
  FRAME_ANCESTORS: 'Origins of pages that may embed the watch page, as a content security policy names them.',
  CALLBACK_REACH: 'Where callbacks may go: `public`, or `anywhere` on a laptop.',
  SCHEDULE_GROUP: 'Name of the group that the schedules of shows lie in.',
  SCHEDULE_ROLE: 'ARN of the role in which a schedule calls its target.',
  SCHEDULE_TARGET: 'ARN of the function that a schedule calls.',
  ROLE_CLAIM: 'Name of the claim of a caller’s token that holds roles.',
  VIEWER_ROLE: 'What that claim says of a viewer.',
  OPERATOR_ROLE: 'What that claim says of an operator.',
  ADMIN_ROLE: 'What that claim says of an admin.',
  INSIGHTS_URL: 'URL of the platform’s Insights; `none` where nobody asks them.',
  INSIGHTS_PLAN: '`basic`, or `advanced` where the project has that add-on.',
  PLATFORM_CALLBACKS: 'Id of the secret `{ <kind>: secret }` of the callbacks that are registered at the platform.',
  SCHEDULE_DEAD_LETTERS: 'ARN of the queue for calls of a schedule that failed for good.',
  EVENT_BUS: 'Name of the stack’s own bus, which gets the events of shows, of recordings and of the platform.',
  STAGE: 'Stage of the deployment, which the events of shows and recordings carry.',
  UNDELETE_DAYS: 'Days for which a recording that was deleted can be restored; 0 deletes it at once.',
  TOOLS: 'JSON: versions of what recordings are published with.',
  LADDER: 'JSON: the sizes that recordings are published in beside their own.',
  FFMPEG_PATH: 'Path of the ffmpeg program.',
} as const

export type Variable = keyof typeof variables
export type Environment = Partial<Record<Variable, string>>

/**
 * What a function may reach. Each need brings its environment variables; the constructs grant exactly it and nothing more.
 */
export const capabilities = {
  platform: {
    summary: 'calls the video platform',
    variables: ['PLATFORM_URL', 'PLATFORM_AUTH_HEADER', 'PLATFORM_SECRET'],
  },
  uploadKey: {
    summary: 'reads the key pair the platform uploads with',
    variables: ['UPLOAD_SECRET', 'UPLOAD_ENDPOINT', 'BUCKET'],
  },
  uploadKeyRotation: {
    summary: 'creates and retires keys of the upload user, and puts one in use',
    variables: ['UPLOAD_SECRET', 'UPLOAD_USER'],
  },
  uploadKeyDeletion: {
    summary: 'deletes the keys of the upload user',
    variables: ['UPLOAD_USER'],
  },
  projectSecretRotation: {
    summary: 'puts a new secret of the platform project in use, version by version',
    variables: ['PLATFORM_SECRET'],
  },
  projectSecret: { summary: 'reads and replaces the secret of the platform project', variables: ['PLATFORM_SECRET'] },
  account: {
    summary: 'manages projects of the account at the platform',
    variables: ['PLATFORM_URL', 'PLATFORM_AUTH_HEADER', 'ACCOUNT_SECRET'],
  },
  rotationLock: { summary: 'reads whether shows have to wait', variables: ['BUCKET'] },
  rotationLockWriting: { summary: 'keeps shows from starting for a moment', variables: ['BUCKET'] },
  showRecords: {
    summary: 'reads the requests of shows, and reads and writes their state',
    variables: ['BUCKET'],
  },
  showProgress: { summary: 'reads and writes the state of shows', variables: ['BUCKET'] },
  showAcceptance: { summary: 'records new shows', variables: ['BUCKET'] },
  showResults: { summary: 'reads and writes the results of shows', variables: ['BUCKET'] },
  showLists: { summary: 'lists shows', variables: ['BUCKET'] },
  unfinishedShows: { summary: 'lists shows that are not settled', variables: ['BUCKET'] },
  settling: { summary: 'marks shows as settled', variables: ['BUCKET'] },
  showRequests: { summary: 'reads the requests of shows', variables: ['BUCKET'] },
  showStates: { summary: 'reads the state of shows', variables: ['BUCKET'] },
  archives: { summary: 'reads the files that the platform uploaded', variables: ['BUCKET'] },
  rescues: { summary: 'writes archives that the platform could not upload', variables: ['BUCKET'] },
  captions: { summary: 'writes supplied captions, and the playlists that name them', variables: ['BUCKET'] },
  recordings: { summary: 'writes published files', variables: ['BUCKET'] },
  madeFiles: { summary: 'reads published files', variables: ['BUCKET'] },
  manifests: { summary: 'reads and writes manifests', variables: ['BUCKET'] },
  publishedManifests: { summary: 'reads manifests', variables: ['BUCKET'] },
  joinedRecordings: {
    summary: 'reads which recordings are listed, and removes joined recordings',
    variables: ['BUCKET'],
  },
  archiveVersions: { summary: 'signs links to one version of an archive', variables: ['BUCKET'] },
  formerVersions: { summary: 'finds the versions of archives', variables: ['BUCKET'] },
  retention: { summary: 'tags archives with their retention period', variables: ['BUCKET'] },
  publishedFiles: { summary: 'reads archives and published recordings and signs links to them', variables: ['BUCKET'] },
  watchLinks: { summary: 'signs and verifies links to watch pages', variables: ['WATCH_SECRET'] },
  watchOrigin: { summary: 'reads the origin of watch pages', variables: ['WATCH_ORIGIN'] },
  watchPage: {
    summary: 'serves the watch page, only to its distribution if there is one',
    variables: ['ORIGIN_SECRET', 'FRAME_ANCESTORS'],
  },
  showSecrets: { summary: 'reads secrets that shows refer to', variables: ['SHOW_SECRETS'] },
  showExecutions: { summary: 'starts show executions', variables: ['SHOW_MACHINE'] },
  executionStatuses: { summary: 'reads the status of show executions', variables: ['SHOW_MACHINE'] },
  schedules: {
    summary: 'creates and deletes the schedules of shows',
    variables: ['SCHEDULE_GROUP', 'SCHEDULE_ROLE', 'SCHEDULE_TARGET', 'SCHEDULE_DEAD_LETTERS'],
  },
  scheduleStandings: {
    summary: 'lists the schedules of shows',
    variables: ['SCHEDULE_GROUP', 'SCHEDULE_ROLE', 'SCHEDULE_TARGET', 'SCHEDULE_DEAD_LETTERS'],
  },
  callbackReach: { summary: 'reads where callbacks may go', variables: ['CALLBACK_REACH'] },
  callbacks: {
    summary: 'signs callbacks to event apps',
    variables: ['CALLBACK_SECRET', 'CALLBACK_KEY', 'CALLBACK_REACH', 'STAGE'],
  },
  callbackKeys: { summary: 'publishes the public keys of callbacks to event apps', variables: ['CALLBACK_KEY'] },
  deletions: {
    summary: 'hides deleted recordings, restores them, and deletes every version of them',
    variables: ['BUCKET', 'UNDELETE_DAYS'],
  },
  deletionLists: { summary: 'lists deleted recordings', variables: ['BUCKET'] },
  purges: { summary: 'deletes every version of recordings that can no longer be restored', variables: ['BUCKET'] },
  rebuilds: { summary: 'starts publish executions and lists those that run', variables: ['PUBLISH_MACHINE'] },
  roles: {
    summary: 'reads the roles of callers from their tokens',
    variables: ['ROLE_CLAIM', 'VIEWER_ROLE', 'OPERATOR_ROLE', 'ADMIN_ROLE'],
  },
  insights: { summary: 'queries the platform’s Insights', variables: ['INSIGHTS_URL', 'INSIGHTS_PLAN'] },
  usage: { summary: 'reads the recorded usage', variables: ['BUCKET'] },
  usageRecording: { summary: 'reads and records usage', variables: ['BUCKET'] },
  platformCallbacks: {
    summary: 'verifies callbacks of the platform and has them handled',
    variables: ['PLATFORM_CALLBACKS', 'EVENT_BUS'],
  },
  platformEvents: {
    summary: 'records callbacks of the platform, and publishes them on the stack’s own bus',
    variables: ['EVENT_BUS', 'BUCKET'],
  },
  publishMachine: { summary: 'starts publish executions and reads their status', variables: ['PUBLISH_MACHINE'] },
  events: { summary: 'publishes events on the bus', variables: ['EVENT_BUS', 'STAGE'] },
  tools: { summary: 'reads the versions of the publishing tools', variables: ['TOOLS'] },
  ladder: { summary: 'reads the renditions of recordings', variables: ['LADDER'] },
  ffmpeg: { summary: 'runs ffmpeg', variables: ['FFMPEG_PATH'] },
} as const satisfies Record<string, { summary: string; variables: readonly Variable[] }>

export type Capability = keyof typeof capabilities
