/** Why the engine could not do something. */
export class EngineError extends Error {
  /**
   * @param {import('../index.js').EngineErrorCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}
