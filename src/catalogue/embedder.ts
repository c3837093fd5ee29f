/** A model that turns texts into vectors. Bring your own, or see `createHttpEmbedder`. */
export type Embedder = {
  /** Names the model and whatever else decides its vectors: those of another name are never reused. */
  readonly name: string
  /** One vector per text, in order, all equally long. May reject: the search then goes on without it. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>
}
