/**
 * Mirrors notifications to Cloud Firestore, for apps that listen there. Requires the peer dependency
 * `@google-cloud/firestore`. Its database needs the rules and the index of the package:
 * `adapters/mirror/firestore.rules` and `firestore.indexes.json`. The emulator does not enforce the rules.
 *
 * ```ts
 * const mirror = firestoreMirror({ projectId: 'imobiliaria-aurora' })
 * const agency = realEstate({ ...ports, mirror })
 * ```
 */
export { type FirestoreProject, firestoreMirror, type OpenMirror } from './firestore-mirror.ts'
