/**
 * Notifications as apps see them come in: in Cloud Firestore. Asks for `@google-cloud/firestore` beside it; the rules and the
 * index that its database needs are in the package, `adapters/mirror/firestore.rules` and `firestore.indexes.json`. Its
 * emulator does not hold to rules: only Google's own service does.
 *
 * ```ts
 * const mirror = firestoreMirror({ projectId: 'imobiliaria-aurora' })
 * const agency = realEstate({ ...ports, mirror })
 * ```
 */
export { type FirestoreProject, firestoreMirror, type OpenMirror } from './firestore-mirror.ts'
