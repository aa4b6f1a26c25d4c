import { App } from 'aws-cdk-lib'
import { readSettings } from '../lib/constructs/settings.ts'
import { ShowrunnerStack } from '../lib/showrunner-stack.ts'

/** The CDK app: `npx cdk synth`, `npx cdk deploy`. */
const app = new App()
const settings = readSettings(app.node.tryGetContext('showrunner'))
new ShowrunnerStack(
  app,
  `Showrunner-${settings.stage}`,
  settings,
  settings.region ? { env: { region: settings.region } } : {},
)
