import { type Conditions, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { joinedId } from '../../show/document/fields/names.ts'
import { archivePatterns, indexPrefixes, keys } from '../../show/state/keys.ts'
import { type Capability, capabilities, type Environment } from '../../tasks/environment.ts'
import type { OwnBus } from '../own-bus.ts'
import type { ShowSchedules } from '../show-schedules.ts'
import type { SigningSecret } from '../signing-secret.ts'
import { suppressWildcards } from './nag-suppressions.ts'
import type { PlatformAccess } from './platform-access.ts'

/** Resources that functions can get access to. Machines are given by ARN, because they depend on the functions. */
export interface StackResources {
  readonly bucket: Bucket
  readonly access: PlatformAccess
  readonly bus: OwnBus
  readonly callbackSecret: SigningSecret
  readonly callbackKey: SigningSecret
  readonly watchSecret: SigningSecret
  /** Absent without a distribution in front of watch pages. */
  readonly originSecret?: SigningSecret | undefined
  readonly platformCallbacks: SigningSecret
  readonly schedules: ShowSchedules
  /** ARN pattern of the secrets that shows may refer to. */
  readonly showSecretArns: string
  readonly showMachineArn: string
  /** Machines of which executions of the show machine are the parents. */
  readonly childMachineArns: readonly string[]
  readonly publishMachineArn: string
  /** Values of the template's parameters; at most 256 characters. */
  readonly parameters: string
  readonly environment: Required<Environment>
}

/** Grants a function's role exactly its capabilities. */
export function grantCapabilities(grantee: Role, wanted: readonly Capability[], resources: StackResources): void {
  for (const need of wanted) grants[need](grantee, resources)
}

export function variablesOf(wanted: readonly Capability[], { environment }: StackResources): Record<string, string> {
  return Object.fromEntries(
    wanted.flatMap((need) => capabilities[need].variables).map((name) => [name, environment[name]]),
  )
}

const rotationLock = [keys.rotationLock]
const states = [keys.state('*')]
const results = [keys.result('*')]
const accepted = [keys.request('*')]
const edits = [keys.edit('*', '*')]
const requests = [...accepted, ...edits]
/** Composites of individual archives are published like composed archives. */
const composites = [keys.published('*', 'composite', '*', 'composite.mp4')]
const showUsage = [keys.usage('*'), keys.quality('*')]
const usage = ['usage/*', ...showUsage]
const received = ['callbacks/*']
const made = [`${keys.recording('*')}*`]
/** Published files without manifests, which are one level up, where the pattern does not match. */
const madeFiles = [keys.published('*', '*', '*', '*')]
const manifests = [keys.manifest('*')]
const joinedFolders = ['', '*/'].map((below) => keys.recording(joinedId('*')) + below)
const joinedIndex = `${indexPrefixes.recordings}${joinedId('*')}`
const captioned = ['captions/*.vtt', 'playlists/*.m3u8'].map((files) => keys.recording('*') + files)
const clips = [keys.clip('*', '*')]
const clipPlaylists = [keys.published('*', 'clips', '*', '*.m3u8')]
const recordingIndex = [`${indexPrefixes.recordings}*`]
const deletionRecords = [keys.deletion('*')]
const deletable = [...archivePatterns, ...made, ...recordingIndex]
const deletableVersions = [...archivePatterns, ...manifests, keys.recording('*'), ...recordingIndex, ...deletionRecords]
const deletionIndex = [`${indexPrefixes.deletions}*`]

type Grant = (grantee: Role, resources: StackResources) => void

const grants: Record<Capability, Grant> = {
  platform: all(
    (grantee, { access }) => allowSecret(grantee, access.projectSecret.secretArn),
    reading([keys.rateLimit], 'PutObject'),
  ),
  uploadKey: (grantee, { access }) => allowSecret(grantee, access.uploadKey.secretArn),
  uploadKeyRotation: (grantee, { access: { uploader, uploadKey } }) => {
    const actions = ['ListAccessKeys', 'CreateAccessKey', 'UpdateAccessKey', 'DeleteAccessKey']
    const prefixed = actions.map((action) => `iam:${action}`)
    allow(grantee, prefixed, [uploader.userArn])
    allowSecret(grantee, uploadKey.secretArn, 'DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage')
  },
  uploadKeyDeletion: (grantee, { access }) =>
    allow(grantee, ['iam:ListAccessKeys', 'iam:DeleteAccessKey', 'iam:ListUserPolicies'], [access.uploader.userArn]),
  projectSecretRotation: (grantee, { access: { projectSecret } }) => {
    const actions = ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage']
    allowSecret(grantee, projectSecret.secretArn, ...actions)
  },
  projectSecret: (grantee, { access }) =>
    allowSecret(grantee, access.projectSecret.secretArn, 'GetSecretValue', 'PutSecretValue'),
  account: (grantee, { access: { accountSecret } }) => {
    if (accountSecret) allowSecret(grantee, `${accountSecret.secretArn}-??????`) // the name is known, without its random suffix
  },
  rotationLock: reading(rotationLock),
  rotationLockWriting: reading(rotationLock, 'PutObject', 'DeleteObject'),
  showRecords: all(reading([...requests, ...states]), objects(states, 'PutObject')),
  observations: reading([keys.observation], 'PutObject'),
  showProgress: reading(states, 'PutObject'),
  showAcceptance: objects([...accepted, 'index/shows/*', 'index/unfinished/*'], 'PutObject'),
  showPosting: objects([...requests, 'index/shows/*', 'index/unfinished/*'], 'PutObject'),
  showResults: reading(results, 'PutObject'),
  deliveryRecords: reading([keys.delivery('*', '*')]),
  deliveries: reading([keys.delivery('*', '*')], 'PutObject'),
  showLists: listing(['index/shows/*']),
  unfinishedShows: listing(['index/unfinished/*']),
  settling: all(objects(['index/usage/*'], 'PutObject'), objects(['index/unfinished/*'], 'DeleteObject')),
  showRequests: reading([...requests, ...states]), // the state names the edited request
  showStates: reading(states),
  archives: reading([...archivePatterns, ...composites]),
  rescues: reading(archivePatterns, 'PutObject', 'AbortMultipartUpload'),
  captions: objects([...captioned, ...manifests, ...recordingIndex], 'PutObject', 'PutObjectTagging'),
  // Together with `archives` or `madeFiles`, these are all rights of functions with ffmpeg. They can neither write a manifest,
  // which states who may watch, nor tag one: tags select the bucket's expiry rules.
  recordings: objects(madeFiles, 'PutObject', 'PutObjectTagging', 'AbortMultipartUpload'),
  madeFiles: reading(made),
  manifests: all(reading(manifests), objects([...manifests, ...recordingIndex], 'PutObject', 'PutObjectTagging')),
  publishedManifests: reading(manifests),
  joinedRecordings: all(
    reading(recordingIndex),
    objects([`${keys.recording(joinedId('*'))}*`, joinedIndex], 'DeleteObjectVersion'),
    versions([...joinedFolders, joinedIndex]),
  ),
  clipRecords: reading(clips),
  clipLists: listing([keys.clips('*')]),
  clips: reading(clips, 'PutObject', 'PutObjectTagging'),
  liveClips: objects(clipPlaylists, 'PutObject', 'PutObjectTagging'),
  archiveVersions: objects(archivePatterns, 'GetObjectVersion'),
  formerVersions: versions(archivePatterns),
  retention: objects(archivePatterns, 'PutObjectTagging'),
  publishedFiles: all(
    objects([...archivePatterns, ...made], 'GetObject'),
    listing([...archivePatterns, ...made, ...recordingIndex]),
  ),
  showSecrets: (grantee, { showSecretArns }) => allowSecret(grantee, showSecretArns),
  showExecutions: (grantee, { showMachineArn }) => allow(grantee, ['states:StartExecution'], [showMachineArn]),
  showRedrives: (grantee, { showMachineArn }) =>
    allow(grantee, ['states:RedriveExecution'], [executionsOf(showMachineArn)]),
  executionStatuses: (grantee, { showMachineArn }) =>
    allow(grantee, ['states:DescribeExecution'], [executionsOf(showMachineArn)]),
  executionHistories: (grantee, { showMachineArn, childMachineArns, publishMachineArn }) =>
    allow(
      grantee,
      ['states:DescribeExecution', 'states:GetExecutionHistory'],
      [showMachineArn, ...childMachineArns, publishMachineArn].map(executionsOf),
    ),
  schedules: (grantee, { schedules }) => {
    allow(
      grantee,
      ['scheduler:CreateSchedule', 'scheduler:UpdateSchedule', 'scheduler:DeleteSchedule'],
      [schedules.scheduleArns],
    )
    allow(grantee, ['iam:PassRole'], [schedules.role.roleArn], {
      StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
    })
  },
  scheduleLists: (grantee, { schedules }) => allow(grantee, ['scheduler:GetSchedule'], [schedules.scheduleArns]),
  callbackReach: () => {}, // no AWS call
  ladder: () => {},
  tools: () => {},
  watchOrigin: () => {},
  watchPage: (grantee, { originSecret }) => {
    if (originSecret) allowSecret(grantee, originSecret.secretArn)
  },
  joinLinks: () => {},
  watchLinks: (grantee, { watchSecret }) => allowSecret(grantee, watchSecret.secretArn),
  callbacks: (grantee, { callbackSecret, callbackKey }) => {
    allowSecret(grantee, callbackSecret.secretArn)
    allowSecret(grantee, callbackKey.secretArn)
  },
  callbackKeys: (grantee, { callbackKey }) => allowSecret(grantee, callbackKey.secretArn),
  deletionRecords: reading(deletionRecords),
  deletions: all(
    objects(deletable, 'DeleteObject', 'DeleteObjectVersion'),
    objects(recordingIndex, 'GetObject'),
    objects(deletionRecords, 'GetObject', 'PutObject', 'DeleteObject', 'DeleteObjectVersion'),
    objects(deletionIndex, 'PutObject', 'DeleteObject'),
    versions(deletableVersions),
    listing(deletionRecords),
  ),
  deletionLists: listing([indexPrefixes.deletions]),
  purges: all(
    objects(deletable, 'DeleteObjectVersion'),
    objects(deletionRecords, 'GetObject', 'PutObject', 'DeleteObjectVersion'),
    objects(manifests, 'GetObject'),
    objects(deletionIndex, 'DeleteObject'),
    versions(deletableVersions),
    listing([...deletionRecords, ...manifests, indexPrefixes.deletions]),
  ),
  rebuilds: (grantee, { publishMachineArn }) =>
    allow(grantee, ['states:StartExecution', 'states:ListExecutions'], [publishMachineArn]),
  roles: () => {}, // claims of each request
  insights: () => {}, // called like the platform
  usage: reading(usage),
  usageRecording: all(
    objects(showUsage, 'GetObject'),
    objects(usage, 'PutObject'),
    objects(['index/usage/*'], 'DeleteObject'),
    listing([...usage, 'index/usage/*']),
  ),
  platformCallbacks: (grantee, { bus, platformCallbacks }) => {
    allowSecret(grantee, platformCallbacks.secretArn)
    bus.addWriter(grantee)
  },
  platformEvents: all((grantee, { bus }) => bus.addWriter(grantee), reading(received, 'PutObject')),
  publishMachine: (grantee, { publishMachineArn }) => allow(grantee, ['states:StartExecution'], [publishMachineArn]),
  publishStatuses: (grantee, { publishMachineArn }) =>
    allow(grantee, ['states:DescribeExecution'], [executionsOf(publishMachineArn)]),
  publishTurns: reading([keys.publishQueue], 'PutObject'),
  publishQueue: reading([keys.publishQueue]),
  events: (grantee, { bus }) => bus.addWriter(grantee),
  ffmpeg: () => {}, // a layer, not a right
}

const executionsOf = (machineArn: string) => `${machineArn.replace(':stateMachine:', ':execution:')}:*`

const PATTERN =
  'Objects, executions, schedules and secrets of shows get their names at run time; each pattern is as narrow as its capability.'

function allow(grantee: Role, actions: string[], resources: string[], conditions: Conditions = {}): void {
  grantee.addToPrincipalPolicy(new PolicyStatement({ actions, resources, conditions }))
  suppressWildcards(grantee, resources, PATTERN)
}

function allowSecret(grantee: Role, secretArn: string, ...actions: string[]): void {
  const allowed = actions.length > 0 ? actions : ['GetSecretValue']
  allow(
    grantee,
    allowed.map((action) => `secretsmanager:${action}`),
    [secretArn],
  )
}

function all(...granted: Grant[]): Grant {
  return (grantee, resources) => {
    for (const grant of granted) grant(grantee, resources)
  }
}

/** Grants reading of objects, whether they exist or not, and other actions on them. */
function reading(patterns: string[], ...more: string[]): Grant {
  return all(objects(patterns, 'GetObject', ...more), listing(patterns))
}

function objects(patterns: string[], ...actions: string[]): Grant {
  return (grantee, { bucket }) =>
    allow(
      grantee,
      actions.map((action) => `s3:${action}`),
      patterns.map((pattern) => bucket.arnForObjects(pattern)),
    )
}

/**
 * Allows lists with some prefixes. S3 then answers 403 instead of 404 for a missing object, because such a request has no
 * prefix: `createStorage` lists the key to distinguish the two.
 */
function listing(patterns: string[]): Grant {
  return (grantee, { bucket }) =>
    allow(grantee, ['s3:ListBucket'], [bucket.bucketArn], { StringLike: { 's3:prefix': patterns } })
}

function versions(patterns: string[]): Grant {
  return (grantee, { bucket }) =>
    allow(grantee, ['s3:ListBucketVersions'], [bucket.bucketArn], { StringLike: { 's3:prefix': patterns } })
}
