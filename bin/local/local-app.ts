import { App } from 'aws-cdk-lib'
import { bundleNothing, bundleShared } from '../../lib/constructs/deploy/bundles.ts'
import { readSettings } from '../../lib/constructs/deploy/settings.ts'
import { ShowrunnerStack } from '../../lib/showrunner-stack.ts'

/**
 * The CDK app of the local stack, without cdk-nag, which judges deployments. The context `code` is false where only the
 * template matters. Bundles are not copied into the assembly, since those of one state of the sources never change.
 */
const app = new App({ treeMetadata: false, context: { 'aws:cdk:disable-asset-staging': true } })
const settings = readSettings(app.node.tryGetContext('showrunner'))
const hasCode = app.node.tryGetContext('code') as boolean
new ShowrunnerStack(app, `Showrunner-${settings.stage}`, settings, { bundle: hasCode ? bundleShared : bundleNothing })
