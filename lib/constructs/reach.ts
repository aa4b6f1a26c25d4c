import type { IEventBus } from 'aws-cdk-lib/aws-events'
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { type Environment, type Need, needs } from '../workflow/environment.ts'
import type { PlatformAccess } from './platform-access.ts'

/** What functions can be given access to. Machines are known by ARN, since they in turn name the functions. */
export interface Surroundings {
  readonly bucket: Bucket
  readonly access: PlatformAccess
  readonly bus: IEventBus
  readonly showMachineArn: string
  readonly publishMachineArn: string
  /** Value of every environment variable. */
  readonly environment: Required<Environment>
}

/** Grants a function's role what its needs name, and nothing more. */
export function grantNeeds(grantee: IGrantable, wanted: readonly Need[], surroundings: Surroundings): void {
  for (const need of wanted) grants[need](grantee, surroundings)
}

/** The environment variables that these needs bring. */
export function variablesOf(wanted: readonly Need[], { environment }: Surroundings): Record<string, string> {
  return Object.fromEntries(wanted.flatMap((need) => needs[need].variables).map((name) => [name, environment[name]]))
}

const archives = ['*/archive.mp4', '*/archive.zip']
const published = ['recordings/*', 'index/recordings/*']

const grants: Record<Need, (grantee: IGrantable, surroundings: Surroundings) => void> = {
  platform: (grantee, { access }) => access.projectSecret.grantRead(grantee),
  uploadKey: (grantee, { access }) => access.uploadKey.grantRead(grantee),
  showRecords: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject'], ['shows/*', 'index/shows/*'])
    allowListing(grantee, bucket, ['shows/*', 'index/shows/*'])
  },
  // Without the right to list, S3 answers 403 instead of 404 to an object that is not there.
  archives: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], archives)
    allowListing(grantee, bucket, archives)
  },
  rescues: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'], archives)
    allowListing(grantee, bucket, archives)
  },
  recordings: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject', 's3:PutObject'], published)
    allowListing(grantee, bucket, published)
  },
  publishedFiles: (grantee, { bucket }) => {
    allowObjects(grantee, bucket, ['s3:GetObject'], [...archives, ...published])
    allowListing(grantee, bucket, published)
  },
  showMachine: (grantee, { showMachineArn }) => allow(grantee, ['states:StartExecution'], [showMachineArn]),
  publishMachine: (grantee, { publishMachineArn }) => {
    const executions = `${publishMachineArn.replace(':stateMachine:', ':execution:')}:*`
    allow(grantee, ['states:StartExecution'], [publishMachineArn])
    allow(grantee, ['states:RedriveExecution'], [executions])
  },
  events: (grantee, { bus }) => bus.grantPutEventsTo(grantee),
  ffmpeg: () => {}, // a layer, not a right
}

const allow = (grantee: IGrantable, actions: string[], resources: string[]) =>
  grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }))

const allowObjects = (grantee: IGrantable, bucket: Bucket, actions: string[], patterns: string[]) =>
  allow(
    grantee,
    actions,
    patterns.map((pattern) => bucket.arnForObjects(pattern)),
  )

const allowListing = (grantee: IGrantable, bucket: Bucket, patterns: string[]) =>
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['s3:ListBucket'],
      resources: [bucket.bucketArn],
      conditions: { StringLike: { 's3:prefix': patterns } },
    }),
  )
