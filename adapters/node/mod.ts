/**
 * What a service of Node, Deno or Bun puts behind the ports of payments and of the agency: `nodePorts` and `nodeEstatePorts`
 * give them all, each can be had alone.
 *
 * ```ts
 * const store = await sqliteStore('./data/portico.db', [...paymentsCollections, ...fakeBankCollections])
 * const ports = await nodePorts({ store, bank: fakeBank, dataDir: './data', publicUrl: 'https://pay.example.com' })
 * const pay = payments(ports)
 * const identity = jwksIdentity({ issuer, audience, url })
 * const agency = realEstate(await nodeEstatePorts({ store, identity, dataDir: './data', publicUrl: 'https://imoveis.example.com' }))
 * ```
 */
export { type ClosingClock, closingClock } from '../clock/closing-clock.ts'
export { type ClockReading, steadyTime } from '../clock/steady-time.ts'
export { systemClock } from '../clock/system-clock.ts'
export { aesCipher } from '../crypto/cipher.ts'
export { digest } from '../crypto/digest.ts'
export { scryptHasher } from '../crypto/hasher.ts'
export { systemRandom } from '../crypto/system-random.ts'
export { jwtTokens } from '../crypto/tokens.ts'
export { diskFiles } from '../files/disk-files.ts'
export { type JwksProvider, jwksIdentity } from '../identity/jwks-identity.ts'
export { indexFile, WrongIndexFile } from '../indexes/index-file.ts'
export { type IndexRow, indexTable, readIndexRows } from '../indexes/index-table.ts'
export { warningLog } from '../log/warning-log.ts'
export { etaEmailRenderer } from '../mail/eta-email-renderer.ts'
export { outboxMailer } from '../mail/outbox-mailer.ts'
export { type SmtpMailerOptions, smtpMailer } from '../mail/smtp-mailer.ts'
export { type SmtpTenantMailerOptions, smtpTenantMailer } from '../mail/smtp-tenant-mailer.ts'
export { outboxMessenger } from '../messages/outbox-messenger.ts'
export { pdfContractRenderer } from '../pdf/pdf-contract-renderer.ts'
export { pdfOwnerStatementRenderer } from '../pdf/statement/pdf-owner-statement-renderer.ts'
export { pngQrRenderer } from '../qr/png-qr-renderer.ts'
export { type HttpSenderOptions, httpSender } from '../webhooks/http-sender.ts'
export { type NodeEstatePorts, type NodeEstateSetup, nodeEstatePorts } from './node-estate-ports.ts'
export { type NodePorts, type NodeSetup, nodePorts } from './node-ports.ts'
export { SecretFault, type SecretOption } from './secret-fault.ts'
export type { SecretSource } from './secrets.ts'
export { SetupFault } from './setup.ts'
