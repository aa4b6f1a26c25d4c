import { type Conditions, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { joinedId } from '../../show/document/fields/names.ts'
import { archivePatterns, indexPrefixes, keys } from '../../show/state/keys.ts'
import { type Capability, capabilities, type Environment } from '../../tasks/environment.ts'
import type { OwnBus } from '../own-bus.ts'
import type { PlatformCallbacks } from '../platform-callbacks.ts'
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
  readonly platformCallbacks: PlatformCallbacks
  readonly schedules: ShowSchedules
  /** ARN pattern of the secrets that shows may refer to. */
  readonly showSecretArns: string
  readonly showMachineArn: string
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
const requests = [keys.request('*')]
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
const recordingIndex = [`${indexPrefixes.recordings}*`]
const deletionRecords = [keys.deletion('*')]
const deletionIndex = [`${indexPrefixes.deletions}*`]

const grants: Record<Capability, (grantee: Role, resources: StackResources) => void> = {
  platform: (grantee, { access }) => allowSecret(grantee, access.projectSecret.secretArn),
  uploadKey: (grantee, { access }) => allowSecret(grantee, access.uploadKey.secretArn),
  uploadKeyRotation: (grantee, { access }) => {
    const actions = ['ListAccessKeys', 'CreateAccessKey', 'UpdateAccessKey', 'DeleteAccessKey']
    const prefixed = actions.map((action) => `iam:${action}`)
    allow(grantee, prefixed, [access.uploader.userArn])
    allow(grantee, secretActions('DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'), [
      access.uploadKey.secretArn,
    ])
  },
  uploadKeyDeletion: (grantee, { access }) =>
    allow(grantee, ['iam:ListAccessKeys', 'iam:DeleteAccessKey', 'iam:ListUserPolicies'], [access.uploader.userArn]),
  projectSecretRotation: (grantee, { access }) =>
    allow(grantee, secretActions('DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'), [
      access.projectSecret.secretArn,
    ]),
  projectSecret: (grantee, { access }) =>
    allow(grantee, secretActions('GetSecretValue', 'PutSecretValue'), [access.projectSecret.secretArn]),
  account: (grantee, { access: { accountSecret } }) => {
    if (accountSecret) allowSecret(grantee, `${accountSecret.secretArn}-??????`) // the name is known, without its random suffix
  },
  rotationLock: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], rotationLock)
    allowListing(grantee, bucket, rotationLock)
  },
  rotationLockWriting: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], rotationLock)
    allowListing(grantee, bucket, rotationLock)
  },
  showRecords: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], [...requests, keys.state('*')])
    allowObjects(grantee, bucket, ['s3:PutObject'], [keys.state('*')])
    allowListing(grantee, bucket, [...requests, keys.state('*')])
  },
  showProgress: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject'], [keys.state('*')])
    allowListing(grantee, bucket, [keys.state('*')])
  },
  showAcceptance: (grantee, { bucket }) =>
    allowObjects(grantee, bucket, ['s3:PutObject'], [...requests, 'index/shows/*', 'index/unfinished/*']),
  showResults: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject'], [keys.result('*')])
    allowListing(grantee, bucket, [keys.result('*')])
  },
  showLists: (grantee, { bucket }) => allowListing(grantee, bucket, ['index/shows/*']),
  unfinishedShows: (grantee, { bucket }) => allowListing(grantee, bucket, ['index/unfinished/*']),
  settling: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:PutObject'], ['index/usage/*'])
    allowObjects(grantee, bucket, ['s3:DeleteObject'], ['index/unfinished/*'])
  },
  showRequests: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], requests)
    allowListing(grantee, bucket, requests)
  },
  showStates: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], [keys.state('*')])
    allowListing(grantee, bucket, [keys.state('*')])
  },
  archives: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], [...archivePatterns, ...composites])
    allowListing(grantee, bucket, [...archivePatterns, ...composites])
  },
  rescues: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'], archivePatterns)
    allowListing(grantee, bucket, archivePatterns)
  },
  captions: (grantee, { bucket }) =>
    allowObjects(
      grantee,
      bucket,
      ['s3:PutObject', 's3:PutObjectTagging'],
      [...captioned, ...manifests, ...recordingIndex],
    ),
  // Together with `archives` or `madeFiles`, these are all rights of functions with ffmpeg. They can neither write a manifest,
  // which states who may watch, nor tag one: tags select the bucket's expiry rules.
  recordings: (grantee, { bucket }) =>
    allowObjects(grantee, bucket, ['s3:PutObject', 's3:PutObjectTagging', 's3:AbortMultipartUpload'], madeFiles),
  madeFiles: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], made)
    allowListing(grantee, bucket, made)
  },
  manifests: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], manifests)
    allowObjects(grantee, bucket, ['s3:PutObject', 's3:PutObjectTagging'], [...manifests, ...recordingIndex])
    allowListing(grantee, bucket, manifests)
  },
  publishedManifests: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], manifests)
    allowListing(grantee, bucket, manifests)
  },
  joinedRecordings: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], recordingIndex)
    allowObjects(grantee, bucket, ['s3:DeleteObjectVersion'], [`${keys.recording(joinedId('*'))}*`, joinedIndex])
    allowVersions(grantee, bucket, [...joinedFolders, joinedIndex])
    allowListing(grantee, bucket, recordingIndex)
  },
  archiveVersions: (grantee, { bucket }) => allowObjects(grantee, bucket, ['s3:GetObjectVersion'], archivePatterns),
  formerVersions: (grantee, { bucket }) =>
    allow(grantee, ['s3:ListBucketVersions'], [bucket.bucketArn], { StringLike: { 's3:prefix': archivePatterns } }),
  retention: (grantee, { bucket }) => allowObjects(grantee, bucket, ['s3:PutObjectTagging'], archivePatterns),
  publishedFiles: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], [...archivePatterns, ...made])
    allowListing(grantee, bucket, [...archivePatterns, ...made, ...recordingIndex])
  },
  showSecrets: (grantee, { showSecretArns }) => allowSecret(grantee, showSecretArns),
  showExecutions: (grantee, { showMachineArn }) => allow(grantee, ['states:StartExecution'], [showMachineArn]),
  executionStatuses: (grantee, { showMachineArn }) =>
    allow(grantee, ['states:DescribeExecution'], [executionsOf(showMachineArn)]),
  schedules: (grantee, { schedules }) => {
    allow(grantee, ['scheduler:CreateSchedule', 'scheduler:DeleteSchedule'], [schedules.scheduleArns])
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
  watchLinks: (grantee, { watchSecret }) => allowSecret(grantee, watchSecret.secretArn),
  callbacks: (grantee, { callbackSecret, callbackKey }) => {
    allowSecret(grantee, callbackSecret.secretArn)
    allowSecret(grantee, callbackKey.secretArn)
  },
  callbackKeys: (grantee, { callbackKey }) => allowSecret(grantee, callbackKey.secretArn),
  deletions: (grantee, { bucket }) => {
    const deletable = [...archivePatterns, ...made, ...recordingIndex]
    allowObjects(grantee, bucket, ['s3:DeleteObject', 's3:DeleteObjectVersion'], deletable)
    allowObjects(grantee, bucket, ['s3:GetObject'], recordingIndex)
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject'], deletionRecords)
    allowObjects(grantee, bucket, ['s3:DeleteObject', 's3:DeleteObjectVersion'], deletionRecords)
    allowObjects(grantee, bucket, ['s3:PutObject', 's3:DeleteObject'], deletionIndex)
    allowVersions(grantee, bucket, [
      ...archivePatterns,
      keys.manifest('*'),
      keys.recording('*'),
      ...recordingIndex,
      ...deletionRecords,
    ])
    allowListing(grantee, bucket, deletionRecords)
  },
  deletionLists: (grantee, { bucket }) => allowListing(grantee, bucket, [indexPrefixes.deletions]),
  purges: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:DeleteObjectVersion'], [...archivePatterns, ...made, ...recordingIndex])
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject', 's3:DeleteObjectVersion'], deletionRecords)
    allowObjects(grantee, bucket, ['s3:GetObject'], manifests)
    allowObjects(grantee, bucket, ['s3:DeleteObject'], deletionIndex)
    allowVersions(grantee, bucket, [
      ...archivePatterns,
      keys.manifest('*'),
      keys.recording('*'),
      ...recordingIndex,
      ...deletionRecords,
    ])
    allowListing(grantee, bucket, [...deletionRecords, ...manifests, indexPrefixes.deletions])
  },
  rebuilds: (grantee, { publishMachineArn }) =>
    allow(grantee, ['states:StartExecution', 'states:ListExecutions'], [publishMachineArn]),
  roles: () => {}, // claims of each request
  insights: () => {}, // called like the platform
  usage: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], usage)
    allowListing(grantee, bucket, usage)
  },
  usageRecording: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], showUsage)
    allowObjects(grantee, bucket, ['s3:PutObject'], usage)
    allowObjects(grantee, bucket, ['s3:DeleteObject'], ['index/usage/*'])
    allowListing(grantee, bucket, [...usage, 'index/usage/*'])
  },
  platformCallbacks: (grantee, { bus, platformCallbacks }) => {
    allowSecret(grantee, platformCallbacks.secret.secretArn)
    bus.addWriter(grantee)
  },
  platformEvents: (grantee, { bucket, bus }) => {
    bus.addWriter(grantee)
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject'], received)
    allowListing(grantee, bucket, received)
  },
  publishMachine: (grantee, { publishMachineArn }) => {
    allow(grantee, ['states:StartExecution'], [publishMachineArn])
    allow(grantee, ['states:DescribeExecution'], [executionsOf(publishMachineArn)])
  },
  events: (grantee, { bus }) => bus.addWriter(grantee),
  ffmpeg: () => {}, // a layer, not a right
}

const secretActions = (...actions: string[]) => actions.map((action) => `secretsmanager:${action}`)

const executionsOf = (machineArn: string) => `${machineArn.replace(':stateMachine:', ':execution:')}:*`

const PATTERN =
  'Objects, executions, schedules and secrets of shows get their names at run time; each pattern is as narrow as its capability.'

function allow(grantee: Role, actions: string[], resources: string[], conditions: Conditions = {}): void {
  grantee.addToPrincipalPolicy(new PolicyStatement({ actions, resources, conditions }))
  suppressWildcards(grantee, resources, PATTERN)
}

const allowSecret = (grantee: Role, secretArn: string) => allow(grantee, secretActions('GetSecretValue'), [secretArn])

const allowObjects = (grantee: Role, bucket: Bucket, actions: string[], patterns: string[]) =>
  allow(
    grantee,
    actions,
    patterns.map((pattern) => bucket.arnForObjects(pattern)),
  )

/**
 * Allows lists with some prefixes. S3 then answers 403 instead of 404 for a missing object, because such a request has no
 * prefix: `createStorage` lists the key to distinguish the two.
 */
const allowListing = (grantee: Role, bucket: Bucket, patterns: string[]) =>
  allow(grantee, ['s3:ListBucket'], [bucket.bucketArn], { StringLike: { 's3:prefix': patterns } })

const allowVersions = (grantee: Role, bucket: Bucket, patterns: string[]) =>
  allow(grantee, ['s3:ListBucketVersions'], [bucket.bucketArn], { StringLike: { 's3:prefix': patterns } })
