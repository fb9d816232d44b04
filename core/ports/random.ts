/** Unguessable randomness. Deterministic in tests, the runtime's CSPRNG everywhere else. */
export interface Random {
  bytes(count: number): Uint8Array
}
