import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { readSettings } from '../lib/constructs/deploy/settings.ts'
import { ShowrunnerStack } from '../lib/showrunner-stack.ts'

/** The CDK app of `npx cdk synth` and `npx cdk deploy`. Both fail on a finding of AwsSolutions that is not suppressed. */
const app = new App()
Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
const settings = readSettings(app.node.tryGetContext('showrunner'))
new ShowrunnerStack(
  app,
  `Showrunner-${settings.stage}`,
  settings,
  settings.region ? { env: { region: settings.region } } : {},
)
