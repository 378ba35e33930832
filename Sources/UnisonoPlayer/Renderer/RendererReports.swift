import UnisonoCoordination

/// The reading of the renderer's reports: what each means by what the renderer was told, as players make noise.
enum RendererReports {
  /// Meaning of a report by what is known: an answer, something the renderer does by itself, or nothing.
  enum Meaning: Equatable, Sendable {
    case nothing
    /// Its place while it does as it was told.
    case position(PlaybackReport.Position)
    case loaded
    /// It is where it was sent, or ready there.
    case arrived
    /// The answer to a seek that another command has replaced.
    case seekReplaced
    case playing
    /// It stands, as it was told.
    case paused
    /// It stands, as was known.
    case stillPaused
    /// It has stopped by itself.
    case stopped
    /// It has no data.
    case halted
    case recovered
    case ended
    case itemFailed(status: Int32)
    /// It failed at something that was replaced while it tried.
    case replacedOrderFailed
    case commandFailed(status: Int32)
    /// A correction came to nothing: it runs on as it did.
    case correctionFailed
  }

  static func meaning(of report: RendererReport, _ renderer: RendererState, _ plan: RendererPlan) -> Meaning {
    switch report.state {
    case .position: position(report, renderer, plan)
    case .ready: ready(report, renderer, plan)
    case .seeked: seeked(report, renderer, plan)
    case .playing: .playing
    case .paused: paused(report, renderer, plan)
    // A seek or a start that was asked for may take its time.
    case .stalled: plan.line != nil && renderer.seek == nil && !plan.isAnswering ? .halted : .nothing
    case .recovered: .recovered
    case .ended: .ended
    case .failed: failed(report, renderer, plan)
    }
  }

  private static func position(
    _ report: RendererReport, _ renderer: RendererState, _ plan: RendererPlan
  ) -> Meaning {
    // What it says while it is on its way elsewhere is neither here nor there.
    guard let position = report.position, renderer.load == .ready, renderer.seek == nil, !plan.isAnswering else {
      return .nothing
    }
    return .position(position)
  }

  private static func ready(_ report: RendererReport, _ renderer: RendererState, _ plan: RendererPlan) -> Meaning {
    if renderer.load == .loading(request: report.request) { return .loaded }
    return plan.isAnswered(by: report.request) ? .arrived : .nothing
  }

  private static func seeked(_ report: RendererReport, _ renderer: RendererState, _ plan: RendererPlan) -> Meaning {
    guard let seek = renderer.seek, report.request == seek.request || report.request == 0 else { return .nothing }
    return plan.isAnswered(by: report.request) || report.request == 0 ? .arrived : .seekReplaced
  }

  private static func paused(_ report: RendererReport, _ renderer: RendererState, _ plan: RendererPlan) -> Meaning {
    if plan.isAnswered(by: report.request) { return .paused }
    guard plan.line != nil, report.request == 0, renderer.isRunning else {
      return plan.isAnswering ? .nothing : .stillPaused
    }
    return renderer.seek == nil && !plan.isAnswering ? .stopped : .nothing
  }

  private static func failed(_ report: RendererReport, _ renderer: RendererState, _ plan: RendererPlan) -> Meaning {
    let status = report.status < 0 ? report.status : PlayerStatus.notSupported
    switch renderer.load {
    case .loading(report.request): return .itemFailed(status: status)
    case .loading where report.request == 0, .ready where report.request == 0: return .itemFailed(status: status)
    case .ready where plan.isAnswered(by: report.request):
      if plan.isChanged { return .replacedOrderFailed }
      return plan.command != nil || !renderer.isRunning ? .commandFailed(status: status) : .correctionFailed
    default: return .nothing
    }
  }
}
