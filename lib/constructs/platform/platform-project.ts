import { CustomResource } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { Settings } from '../deploy/settings.ts'

export interface PlatformProjectProps {
  /** The function of the task that manages projects. */
  readonly manager: IFunction
  readonly order: NonNullable<Settings['platform']['project']>
}

/** The project at the platform, made, suspended and deleted with the stack. */
export class PlatformProject extends Construct {
  /** Its key, known once it is made. */
  readonly apiKey: string

  constructor(scope: Construct, id: string, { manager, order }: PlatformProjectProps) {
    super(scope, id)
    // The function answers itself: CDK's provider framework would bring functions and rights of its own.
    const project = new CustomResource(this, 'Project', {
      resourceType: 'Custom::PlatformProject',
      serviceToken: manager.functionArn,
      properties: { Name: order.name, Status: order.status },
    })
    this.apiKey = project.getAttString('ApiKey')
  }
}
