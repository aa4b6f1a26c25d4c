import { Duration } from 'aws-cdk-lib'
import { Construct } from 'constructs'
import type { PlatformAccess } from '../access/platform-access.ts'
import type { Settings } from '../deploy/settings.ts'
import type { ShowrunnerFunction } from '../showrunner-function.ts'
import { PlatformProject } from './platform-project.ts'
import { Rotation } from './rotation.ts'
import { UploadKeys } from './upload-keys.ts'

export interface CredentialsProps {
  readonly settings: Settings
  readonly access: PlatformAccess
  readonly functionOf: (
    task: 'rotateUploadKey' | 'rotateProjectSecret' | 'manageProject' | 'deleteUploadKeys',
  ) => ShowrunnerFunction
}

/** Rotation and deletion of the credentials between Showrunner and the platform, as far as the settings enable them. */
export class Credentials extends Construct {
  constructor(scope: Construct, id: string, { settings, access, functionOf }: CredentialsProps) {
    super(scope, id)
    const { uploadKeyDays, projectSecretDays } = settings.rotation
    const { schedule: rotation } = new Rotation(this, 'UploadKey', {
      secret: access.uploadKey,
      rotator: functionOf('rotateUploadKey'),
      days: uploadKeyDays,
      followUp: Duration.hours(1), // nothing waits for the deletion of the former key
    })
    if (projectSecretDays !== undefined)
      new Rotation(this, 'ProjectSecret', {
        secret: access.projectSecret,
        rotator: functionOf('rotateProjectSecret'),
        days: projectSecretDays,
        followUp: Duration.minutes(5), // the time between two shows may be short
      })
    const { project: order, projectKey } = settings.platform
    const project = order && new PlatformProject(this, 'Project', { manager: functionOf('manageProject'), order })
    access.allowUploads(project?.apiKey ?? projectKey)
    new UploadKeys(this, 'UploadKeys', { deleter: functionOf('deleteUploadKeys'), uploader: access.uploader, rotation })
  }
}
