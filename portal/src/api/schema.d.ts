// Made from /openapi.json by `npm run docs`.
export interface paths {
    "/apm/traces/{gridSecondaryId}": {
        parameters: {
        };
        post: operations["searchTraces"];
    };
    "/apm/traces/{gridSecondaryId}/details/{spanId}": {
        parameters: {
        };
        get: operations["getSpanDetail"];
    };
    "/apm/traces/{gridSecondaryId}/filters": {
        parameters: {
        };
        get: operations["getTraceFilters"];
    };
    "/apm/traces/{gridSecondaryId}/correlations/{traceId}/spans": {
        parameters: {
        };
        get: operations["getTraceSpans"];
    };
    "/apm/traces/{gridSecondaryId}/correlations/{traceId}/logs": {
        parameters: {
        };
        get: operations["getTraceLogs"];
    };
    "/apm/traces/{gridSecondaryId}/correlations/{traceId}/errors": {
        parameters: {
        };
        get: operations["getTraceErrors"];
    };
    "/apm/traces/{gridSecondaryId}/spans/{spanId}/tags": {
        parameters: {
        };
        get: operations["getSpanTags"];
    };
    "/apm/traces/{gridSecondaryId}/spans/{spanId}/events": {
        parameters: {
        };
        get: operations["getSpanEvents"];
    };
    "/apm/traces/{gridSecondaryId}/correlations/{traceId}/compare": {
        parameters: {
        };
        get: operations["compareTraces"];
    };
    "/apm/logs/{gridSecondaryId}": {
        parameters: {
        };
        post: operations["searchLogs"];
    };
    "/apm/logs/{gridSecondaryId}/details/{spanId}": {
        parameters: {
        };
        get: operations["getLogDetail"];
    };
    "/apm/logs/{gridSecondaryId}/filters": {
        parameters: {
        };
        get: operations["getLogFilters"];
    };
    "/apm/query/{gridSecondaryId}": {
        parameters: {
        };
        post: operations["runQuery"];
    };
    "/apm/query/{gridSecondaryId}/differences": {
        parameters: {
        };
        post: operations["findDifferences"];
    };
    "/apm/errors/{gridSecondaryId}": {
        parameters: {
        };
        get: operations["listErrorGroups"];
    };
    "/apm/errors/{gridSecondaryId}/{groupId}": {
        parameters: {
        };
        get: operations["getErrorGroup"];
    };
    "/apm/errors/{gridSecondaryId}/{groupId}/resolve": {
        parameters: {
        };
        post: operations["resolveErrorGroup"];
    };
    "/apm/errors/{gridSecondaryId}/{groupId}/reopen": {
        parameters: {
        };
        post: operations["reopenErrorGroup"];
    };
    "/apm/diagnostics/{gridSecondaryId}/health": {
        parameters: {
        };
        get: operations["getHealth"];
    };
    "/apm/diagnostics/{gridSecondaryId}/alerts": {
        parameters: {
        };
        get: operations["listAlerts"];
    };
    "/apm/diagnostics/{gridSecondaryId}/diagnosis": {
        parameters: {
        };
        get: operations["listDiagnoses"];
    };
    "/apm/diagnostics/{gridSecondaryId}/pressure": {
        parameters: {
        };
        get: operations["listPressurePoints"];
    };
    "/apm/diagnostics/{gridSecondaryId}/trends": {
        parameters: {
        };
        get: operations["getTrends"];
    };
    "/apm/diagnostics/{gridSecondaryId}/services": {
        parameters: {
        };
        get: operations["getServiceMap"];
    };
    "/apm/diagnostics/{gridSecondaryId}/timeline": {
        parameters: {
        };
        get: operations["getTimeline"];
    };
    "/apm/diagnostics/{gridSecondaryId}/slowest-endpoints": {
        parameters: {
        };
        get: operations["listSlowestEndpoints"];
    };
    "/apm/diagnostics/{gridSecondaryId}/changes": {
        parameters: {
        };
        get: operations["listChanges"];
    };
    "/apm/diagnostics/{gridSecondaryId}/service/{serviceName}": {
        parameters: {
        };
        get: operations["getServiceDetail"];
    };
    "/apm/diagnostics/{gridSecondaryId}/compare": {
        parameters: {
        };
        get: operations["compareWindows"];
    };
    "/apm/diagnostics/{gridSecondaryId}/stream": {
        parameters: {
        };
        get: operations["streamDiagnostics"];
    };
    "/apm/incidents/{gridSecondaryId}": {
        parameters: {
        };
        get: operations["listIncidents"];
    };
    "/apm/incidents/{gridSecondaryId}/{incidentId}": {
        parameters: {
        };
        get: operations["getIncident"];
    };
    "/apm/incidents/{gridSecondaryId}/{incidentId}/acknowledge": {
        parameters: {
        };
        post: operations["acknowledgeIncident"];
    };
    "/apm/incidents/{gridSecondaryId}/{incidentId}/resolve": {
        parameters: {
        };
        post: operations["resolveIncident"];
    };
    "/apm/incidents/{gridSecondaryId}/{incidentId}/commander": {
        parameters: {
        };
        post: operations["assignIncidentCommander"];
    };
    "/apm/incidents/{gridSecondaryId}/{incidentId}/notes": {
        parameters: {
        };
        post: operations["addIncidentNote"];
    };
    "/apm/incidents/{gridSecondaryId}/{incidentId}/merge": {
        parameters: {
        };
        post: operations["mergeIncident"];
    };
    "/apm/incidents/{gridSecondaryId}/{incidentId}/split": {
        parameters: {
        };
        post: operations["splitIncident"];
    };
    "/apm/charts/{gridSecondaryId}/charts": {
        parameters: {
        };
        get: operations["listCharts"];
    };
    "/apm/charts/{gridSecondaryId}/charts/{chartSecondaryId}": {
        parameters: {
        };
        get: operations["getChart"];
    };
    "/apm/charts/{gridSecondaryId}/charts/{chartId}/render": {
        parameters: {
        };
        get: operations["renderChart"];
    };
    "/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data": {
        parameters: {
        };
        get: operations["getChartRangeData"];
    };
    "/apm/dashboards/{gridSecondaryId}/dashboards": {
        parameters: {
        };
        get: operations["listDashboards"];
    };
    "/apm/dashboards/{gridSecondaryId}/dashboards/{dashboardSecondaryId}": {
        parameters: {
        };
        get: operations["getDashboard"];
    };
    "/apm/dashboards/{gridSecondaryId}/dashboards/{dashboardId}/render": {
        parameters: {
        };
        get: operations["renderDashboard"];
    };
    "/apm/metrics/{gridSecondaryId}": {
        parameters: {
        };
        get: operations["listMetrics"];
    };
    "/admin/grids/{gridSecondaryId}/alert-rules": {
        parameters: {
        };
        get: operations["listAlertRules"];
        post: operations["createAlertRule"];
    };
    "/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}": {
        parameters: {
        };
        get: operations["getAlertRule"];
        put: operations["replaceAlertRule"];
        delete: operations["deleteAlertRule"];
    };
    "/admin/grids/{gridSecondaryId}/alert-rules/backtest": {
        parameters: {
        };
        post: operations["backtestAlertRule"];
    };
    "/admin/grids/{gridSecondaryId}/channels": {
        parameters: {
        };
        get: operations["listChannels"];
        post: operations["createChannel"];
    };
    "/admin/grids/{gridSecondaryId}/channels/{channelId}": {
        parameters: {
        };
        get: operations["getChannel"];
        put: operations["replaceChannel"];
        delete: operations["deleteChannel"];
    };
    "/admin/grids/{gridSecondaryId}/channels/{channelId}/test": {
        parameters: {
        };
        post: operations["testChannel"];
    };
    "/admin/grids/{gridSecondaryId}/channels/{channelId}/deliveries": {
        parameters: {
        };
        get: operations["listDeliveries"];
    };
    "/admin/grids/{gridSecondaryId}/routes": {
        parameters: {
        };
        get: operations["listNotificationRoutes"];
        post: operations["createNotificationRoute"];
    };
    "/admin/grids/{gridSecondaryId}/routes/{routeId}": {
        parameters: {
        };
        get: operations["getNotificationRoute"];
        put: operations["replaceNotificationRoute"];
        delete: operations["deleteNotificationRoute"];
    };
    "/admin/grids/{gridSecondaryId}/silences": {
        parameters: {
        };
        get: operations["listSilences"];
        post: operations["createSilence"];
    };
    "/admin/grids/{gridSecondaryId}/silences/{silenceId}": {
        parameters: {
        };
        get: operations["getSilence"];
        put: operations["replaceSilence"];
        delete: operations["deleteSilence"];
    };
    "/apm/alerts/{gridSecondaryId}/{alertId}/acknowledge": {
        parameters: {
        };
        post: operations["acknowledgeAlert"];
    };
    "/admin/grids/{gridSecondaryId}/charts": {
        parameters: {
        };
        get: operations["listChartDefinitions"];
        post: operations["createChart"];
    };
    "/admin/grids/{gridSecondaryId}/charts/{chartId}": {
        parameters: {
        };
        get: operations["getChartDefinition"];
        put: operations["replaceChart"];
        delete: operations["deleteChart"];
    };
    "/admin/grids/{gridSecondaryId}/dashboards": {
        parameters: {
        };
        get: operations["listDashboardDefinitions"];
        post: operations["createDashboard"];
    };
    "/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}": {
        parameters: {
        };
        get: operations["getDashboardDefinition"];
        put: operations["replaceDashboard"];
        delete: operations["deleteDashboard"];
    };
    "/apm/slos/{gridSecondaryId}": {
        parameters: {
        };
        get: operations["assessSlos"];
    };
    "/apm/slos/{gridSecondaryId}/{sloId}": {
        parameters: {
        };
        get: operations["getSloDetail"];
    };
    "/apm/slos/{gridSecondaryId}/proposals": {
        parameters: {
        };
        get: operations["proposeSlos"];
    };
    "/admin/grids/{gridSecondaryId}/slos": {
        parameters: {
        };
        get: operations["listSlos"];
        post: operations["createSlo"];
    };
    "/admin/grids/{gridSecondaryId}/slos/{sloId}": {
        parameters: {
        };
        get: operations["getSlo"];
        put: operations["replaceSlo"];
        delete: operations["deleteSlo"];
    };
    "/admin/grids/{gridSecondaryId}/slos/backtest": {
        parameters: {
        };
        post: operations["backtestSlo"];
    };
    "/apm/slos/{gridSecondaryId}/{sloId}/report": {
        parameters: {
        };
        get: operations["getSloReport"];
    };
    "/apm/slos/{gridSecondaryId}/{sloId}/report/render": {
        parameters: {
        };
        get: operations["renderSloReport"];
    };
    "/admin/grids/{gridSecondaryId}/views": {
        parameters: {
        };
        get: operations["listViews"];
        post: operations["createView"];
    };
    "/admin/grids/{gridSecondaryId}/views/{viewId}": {
        parameters: {
        };
        get: operations["getView"];
        put: operations["replaceView"];
        delete: operations["deleteView"];
    };
    "/assistant/chat/{instanceSecondaryId}": {
        parameters: {
        };
        post: operations["chat"];
    };
    "/assistant/voices": {
        parameters: {
        };
        get: operations["listVoices"];
    };
    "/assistant/speech/{instanceSecondaryId}/synthesize": {
        parameters: {
        };
        post: operations["synthesizeSpeech"];
    };
    "/assistant/speech/{instanceSecondaryId}/recognize": {
        parameters: {
        };
        post: operations["recognizeSpeech"];
    };
    "/assistant/usage/energy": {
        parameters: {
        };
        get: operations["getEnergy"];
    };
    "/assistant/usage/{gridSecondaryId}/status": {
        parameters: {
        };
        get: operations["getUsageStatus"];
    };
    "/assistant/usage/{gridSecondaryId}/summary": {
        parameters: {
        };
        get: operations["getUsageSummary"];
    };
    "/assistant/usage/me": {
        parameters: {
        };
        get: operations["getOwnUsage"];
    };
    "/assistant/limits/{gridSecondaryId}": {
        parameters: {
        };
        get: operations["getLimits"];
        put: operations["updateLimits"];
    };
    "/admin/grids": {
        parameters: {
        };
        get: operations["listGrids"];
        post: operations["createGrid"];
    };
    "/admin/grids/{gridSecondaryId}": {
        parameters: {
        };
        get: operations["getGrid"];
        patch: operations["changeGrid"];
    };
    "/admin/grids/{gridSecondaryId}/members": {
        parameters: {
        };
        get: operations["listMembers"];
    };
    "/admin/grids/{gridSecondaryId}/members/{userId}": {
        parameters: {
        };
        put: operations["setMember"];
        delete: operations["removeMember"];
    };
    "/admin/grids/{gridSecondaryId}/api-keys": {
        parameters: {
        };
        get: operations["listApiKeys"];
        post: operations["issueApiKey"];
    };
    "/admin/grids/{gridSecondaryId}/api-keys/{keyId}/regenerate": {
        parameters: {
        };
        post: operations["regenerateApiKey"];
    };
    "/admin/grids/{gridSecondaryId}/api-keys/{keyId}": {
        parameters: {
        };
        delete: operations["revokeApiKey"];
    };
    "/admin/grids/{gridSecondaryId}/audit": {
        parameters: {
        };
        get: operations["readAudit"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Acknowledgement: {
            alertId: string;
            acknowledgedBy: string;
            /** Format: date-time */
            acknowledgedAt: string;
        };
        Alert: {
            id: string;
            ruleName: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            serviceName: string;
            labels?: {
                [key: string]: string;
            };
            condition: string;
            currentValue: number;
            /** Format: date-time */
            triggeredAt: string;
            /** @enum {string} */
            status: "firing" | "resolved";
            acknowledgedBy?: string;
            /** Format: date-time */
            acknowledgedAt?: string;
        };
        AlertRule: {
            id: string;
            name: string;
            /** @enum {string} */
            metric?: "error_rate" | "latency_avg" | "latency_p50" | "latency_p95" | "latency_p99" | "apdex" | "request_rate" | "pressure" | "new_errors";
            query?: components["schemas"]["WatchedQuery"];
            /** @enum {string} */
            operator: ">" | ">=" | "<" | "<=";
            threshold: number;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            criticalThreshold?: number;
            serviceName?: string;
            windowMinutes: number;
            forMinutes: number;
            minRequests: number;
            enabled: boolean;
            runbookUrl?: string;
            isDefault: boolean;
        };
        AlertRuleModel: {
            name: string;
            /** @enum {string|null} */
            metric?: "error_rate" | "latency_avg" | "latency_p50" | "latency_p95" | "latency_p99" | "apdex" | "request_rate" | "pressure" | "new_errors" | null;
            query?: {
                /** @enum {string} */
                signal: "spans" | "logs" | "metrics";
                where?: string;
                groupBy?: string[];
                select: components["schemas"]["QueryFunction"][];
            } | null;
            /** @enum {string} */
            operator: ">" | ">=" | "<" | "<=";
            threshold: number;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            criticalThreshold?: number | null;
            serviceName?: string | null;
            /** @default 15 */
            windowMinutes: number | null;
            /** @default 0 */
            forMinutes: number | null;
            minRequests?: number | null;
            /** @default true */
            enabled: boolean | null;
            runbookUrl?: string | null;
            readonly id?: unknown;
            readonly isDefault?: unknown;
        };
        AlertRules: {
            rules: components["schemas"]["AlertRule"][];
        };
        Alerts: {
            alerts: components["schemas"]["Alert"][];
        };
        ApiKey: {
            keyId: string;
            name: string;
            /** @enum {string} */
            kind: "send" | "read" | "full";
            prefix: string;
            /** @enum {string} */
            role: "Member";
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            lastUsedAt: string | null;
            lastSent: components["schemas"]["LastSent"][];
            lastRefused?: components["schemas"]["LastRefused"];
        };
        ApiKeys: {
            apiKeys: components["schemas"]["ApiKey"][];
        };
        AssistantSession: {
            /** Format: uuid */
            instanceSecondaryId: string;
            /** Format: uuid */
            gridSecondaryId: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Audit: {
            entries: components["schemas"]["AuditEntry"][];
            totalCount: number;
            page: number;
            pageSize: number;
        };
        AuditEntry: {
            /** Format: date-time */
            at: string;
            actor: string;
            action: string;
            target: string;
            details: {
                [key: string]: unknown;
            };
        };
        Backtest: {
            firings: components["schemas"]["Firing"][];
            perWeek: number;
            missed: components["schemas"]["MissedAlert"][];
        };
        BacktestModel: {
            rule: components["schemas"]["AlertRuleModel"];
            /** Format: date-time */
            rangeStart: string;
            /** Format: date-time */
            rangeEnd: string;
        };
        BurnRates: {
            "5m": number;
            "30m": number;
            "1h": number;
            "6h": number;
            "3d": number;
        };
        CauseReference: {
            cause: string;
            /** @enum {string} */
            kind: "latency" | "errors" | "network" | "saturation" | "deployment" | "traffic" | "dependency" | "inconclusive";
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            confidence: number;
            /** Format: date-time */
            firstDetected: string;
        };
        Change: {
            /** @enum {string} */
            type: "deployment" | "scaling" | "eviction" | "restart" | "probe_failure" | "new_service" | "new_endpoint";
            serviceName: string;
            /** Format: date-time */
            detectedAt: string;
            previousVersion?: string;
            currentVersion?: string;
            description?: string;
            performanceImpact: {
                latencyChange: string;
                errorRateChange: string;
                /** @enum {string} */
                assessment: "positive" | "negative" | "neutral";
                newErrorRate?: number;
            };
        };
        Changes: {
            changes: components["schemas"]["Change"][];
        };
        Channel: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "webhook" | "slack" | "email" | "pagerduty" | "teams";
            target: string;
            recipients: string[];
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
        };
        ChannelModel: {
            name: string;
            /** @enum {string} */
            type: "webhook" | "slack" | "email" | "pagerduty" | "teams";
            url?: string | null;
            token?: string | null;
            routingKey?: string | null;
            /** @default [] */
            recipients: string[] | null;
            readonly id?: unknown;
            readonly createdAt?: unknown;
            readonly createdBy?: unknown;
            readonly target?: unknown;
        };
        Channels: {
            channels: components["schemas"]["Channel"][];
        };
        Chart: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @enum {string} */
            chartType: "line" | "bar" | "area" | "value" | "top_list" | "table" | "heatmap";
            serviceName: string;
            metric: string;
            unit: string;
            query?: components["schemas"]["ChartQuery"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ChartDefinition: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @enum {string} */
            chartType: "line" | "bar" | "area" | "value" | "top_list" | "table" | "heatmap";
            serviceName: string;
            metric: string;
            unit: string;
            query?: components["schemas"]["ChartQuery"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            groupBy: string;
            /** @enum {string} */
            aggregation: "avg" | "sum" | "min" | "max" | "last" | "count" | "rate" | "p50" | "p95" | "p99" | "";
        };
        ChartDefinitionList: {
            charts: components["schemas"]["ChartDefinition"][];
        };
        ChartList: {
            charts: components["schemas"]["ListedChart"][];
        };
        ChartModel: {
            title: string;
            /** @enum {string} */
            chartType: "line" | "bar" | "area" | "value" | "top_list" | "table" | "heatmap";
            metric: string;
            /** @default  */
            serviceName: string | null;
            /** @default  */
            groupBy: string | null;
            /**
             * @default
             * @enum {string|null}
             */
            aggregation: "avg" | "sum" | "min" | "max" | "last" | "count" | "rate" | "p50" | "p95" | "p99" | "" | null;
            /** @default  */
            unit: string | null;
            query?: {
                /** @enum {string} */
                signal: "spans" | "logs" | "metrics";
                where?: string;
                groupBy?: string[];
                select: components["schemas"]["QueryFunction"][];
                limit?: number;
            } | null;
            readonly id?: unknown;
            readonly createdAt?: unknown;
            readonly updatedAt?: unknown;
        };
        ChartQuery: {
            /** @enum {string} */
            signal: "spans" | "logs" | "metrics";
            where: string;
            groupBy: string[];
            select: {
                /** @enum {string} */
                fn: "count" | "rate" | "errorRate" | "sum" | "avg" | "min" | "max" | "p50" | "p75" | "p90" | "p95" | "p99" | "countDistinct";
                field?: string;
                as?: string;
            }[];
            limit?: number;
        };
        ChartRangeData: {
            /** Format: uuid */
            chartId: string;
            title: string;
            unit: string;
            /** Format: date-time */
            rangeStart: string;
            /** Format: date-time */
            rangeEnd: string;
            stepSeconds?: number;
            series: components["schemas"]["ChartSeries"][];
            hint?: string;
        };
        ChartSeries: {
            label: string;
            dataPoints: components["schemas"]["DataPoint"][];
            cell?: {
                row: string;
                column: string;
                unit: string;
            };
            exemplars?: components["schemas"]["Exemplar"][];
        };
        ChatModel: {
            prompt: string;
            /** Format: uuid */
            conversationId?: string | null;
        };
        ChatReply: {
            response: string;
            /** Format: uuid */
            conversationId: string;
            sources: components["schemas"]["Source"][];
            suggestedFollowUps: string[];
            energyConsumed: number;
        };
        ComparedErrors: {
            groupId: string;
            serviceName: string;
            exceptionType: string;
            messagePattern: string;
            /** @enum {string} */
            presence: "both" | "current" | "baseline";
            currentCount: number;
            baselineCount: number;
        };
        ComparedPath: {
            depth: number;
            serviceName: string;
            operationName: string;
            /** @enum {string} */
            presence: "both" | "current" | "baseline";
            current: components["schemas"]["PathFigures"];
            baseline: components["schemas"]["PathFigures"];
            difference: {
                count: number;
                errorCount: number;
                durationNs: number;
                selfTimeNs: number;
            };
        };
        ComparedTrace: {
            traceId: string;
            serviceName: string;
            operationName: string;
            /** Format: date-time */
            startTime: string;
            durationNs: number;
            spanCount: number;
            errorCount: number;
        };
        Comparison: {
            baseline: components["schemas"]["WindowFigures"];
            current: components["schemas"]["WindowFigures"];
            deltas: {
                avgLatencyMs: components["schemas"]["Delta"];
                p95LatencyMs: components["schemas"]["Delta"];
                errorRate: components["schemas"]["Delta"];
                throughputRps: components["schemas"]["Delta"];
                apdex: components["schemas"]["Delta"];
            };
            regressions: components["schemas"]["Regression"][];
        };
        Dashboard: {
            /** Format: uuid */
            id: string;
            title: string;
            description: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            charts: components["schemas"]["PlacedChart"][];
            variables?: string[];
        };
        DashboardDefinitionList: {
            dashboards: components["schemas"]["Dashboard"][];
        };
        DashboardList: {
            dashboards: components["schemas"]["ListedDashboard"][];
        };
        DashboardModel: {
            title: string;
            /** @default  */
            description: string | null;
            /** @default [] */
            charts: components["schemas"]["PlacedChartModel"][] | null;
            variables?: string[] | null;
            readonly id?: unknown;
            readonly createdAt?: unknown;
            readonly updatedAt?: unknown;
        };
        DataPoint: {
            /** Format: date-time */
            timestamp: string;
            value: number;
        };
        Deliveries: {
            deliveries: components["schemas"]["Delivery"][];
        };
        Delivery: {
            key: string;
            channelId: string;
            /** @enum {string} */
            reason: "firing" | "resolved" | "repeat" | "cause" | "escalation" | "test";
            /** @enum {string} */
            status: "firing" | "resolved";
            subject: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            attempts: number;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            settledAt?: string;
            /** Format: date-time */
            nextAttemptAt?: string;
            statusCode?: number;
            answer?: string;
            error?: string;
        };
        Delta: {
            absolute: number;
            percent: number;
        };
        Dependency: {
            name: string;
            /** @enum {string} */
            status: "healthy" | "degraded";
            errorRate: number;
            avgLatencyMs: number;
            /** @enum {string} */
            recentStatus: "healthy" | "degraded" | "recovering" | "unknown";
            causeOf?: components["schemas"]["CauseReference"];
        };
        Diagnoses: {
            diagnoses: components["schemas"]["Diagnosis"][];
        };
        Diagnosis: {
            cause: string;
            confidence: number;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            affectedServices: string[];
            evidence: string[];
            /** Format: date-time */
            firstDetected: string;
            impactedTraceCount: number;
            serviceName: string | null;
            /** @enum {string} */
            kind: "latency" | "errors" | "network" | "saturation" | "deployment" | "traffic" | "dependency" | "inconclusive";
            sampleTraceIds: string[];
            /** Format: date-time */
            recoveredAt?: string;
        };
        Differences: {
            attributes: components["schemas"]["DifferingAttribute"][];
            inSelection: number;
            outside: number;
            compared: number;
            /** @constant */
            exact: true;
            leftOut?: number;
            damagedRecords?: number;
        };
        DifferencesRequestModel: {
            /** @enum {string} */
            signal: "spans" | "logs" | "metrics";
            where?: string | null;
            selection: string;
            /** Format: date-time */
            rangeStart?: string | null;
            /** Format: date-time */
            rangeEnd?: string | null;
            /** Format: date-time */
            asOf?: string | null;
        };
        DifferingAttribute: {
            field: string;
            values: components["schemas"]["DifferingValue"][];
            score: number;
        };
        DifferingValue: {
            value: string;
            inSelection: number;
            outside: number;
        };
        Endpoint: {
            operation: string;
            requestCount: number;
            errorRate: number;
            avgLatencyMs: number;
            p50LatencyMs: number;
            p95LatencyMs: number;
        };
        Energy: {
            currentEnergy: number;
            maxEnergy: number;
            regenerationRate: number;
            regenerationIntervalMinutes: number;
            /** Format: date-time */
            nextRegenerationAt: string;
        };
        ErrorBudget: {
            total: number;
            consumed: number;
            remaining: number;
            remainingPercent: number;
        };
        ErrorGroup: {
            groupId: string;
            exceptionType: string;
            messagePattern: string;
            topFrames: string[];
            count: number;
            /** Format: date-time */
            firstSeen: string;
            /** Format: date-time */
            lastSeen: string;
            isNew?: boolean;
            firstVersion: string;
            versions: components["schemas"]["ErrorVersionCount"][];
            services: components["schemas"]["ErrorServiceCount"][];
            sampleTraceIds: string[];
            /** @enum {string} */
            status?: "open" | "resolved" | "reopened";
            /** Format: date-time */
            resolvedAt?: string;
            resolvedBy?: string;
            resolvedInVersion?: string;
            /** Format: date-time */
            reopenedAt?: string;
        };
        ErrorGroupDetail: {
            groupId: string;
            exceptionType: string;
            messagePattern: string;
            topFrames: string[];
            count: number;
            /** Format: date-time */
            firstSeen: string;
            /** Format: date-time */
            lastSeen: string;
            isNew?: boolean;
            firstVersion: string;
            versions: components["schemas"]["ErrorVersionCount"][];
            services: components["schemas"]["ErrorServiceCount"][];
            sampleTraceIds: string[];
            /** @enum {string} */
            status?: "open" | "resolved" | "reopened";
            /** Format: date-time */
            resolvedAt?: string;
            resolvedBy?: string;
            resolvedInVersion?: string;
            /** Format: date-time */
            reopenedAt?: string;
            stepSeconds: number;
            steps: components["schemas"]["ErrorStep"][];
            sample: {
                /** Format: date-time */
                time: string;
                serviceName: string;
                version: string;
                traceId: string;
                spanId: string;
                message: string;
                stackTrace: string;
            };
            /** @constant */
            exact: true;
            damagedRecords?: number;
        };
        ErrorGroupReceipt: {
            groupId: string;
        };
        ErrorGroups: {
            errors: components["schemas"]["ErrorGroup"][];
            totalCount: number;
            exceptionCount: number;
            page: number;
            pageSize: number;
            /** @constant */
            exact: true;
            foldedExceptions?: number;
            damagedRecords?: number;
        };
        ErrorResolutionModel: {
            /** @default  */
            serviceVersion: string | null;
        };
        ErrorServiceCount: {
            serviceName: string;
            count: number;
        };
        ErrorStep: {
            /** Format: date-time */
            time: string;
            count: number;
            versions: components["schemas"]["ErrorVersionCount"][];
        };
        ErrorVersionCount: {
            version: string;
            count: number;
        };
        Exemplar: {
            /** Format: date-time */
            timestamp: string;
            value: number;
            traceId: string;
            spanId: string;
        };
        FieldFault: {
            field: string;
            message: string;
        };
        Firing: {
            serviceName: string;
            labels?: {
                [key: string]: string;
            };
            /** Format: date-time */
            firedAt: string;
            resolvedAt: string | null;
            peakValue: number;
        };
        Grid: {
            /** Format: uuid */
            gridSecondaryId: string;
            name: string;
            apdexThresholdMs: number;
            errorRateThreshold: number;
            apdexHealthThreshold: number;
            retentionDays: number;
            subscriptionActive: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        GridChangesModel: {
            name?: string | null;
            apdexThresholdMs?: number | null;
            errorRateThreshold?: number | null;
            apdexHealthThreshold?: number | null;
            retentionDays?: number | null;
            subscriptionActive?: boolean | null;
            readonly gridSecondaryId?: unknown;
            readonly createdAt?: unknown;
        };
        GridLimits: {
            /** Format: uuid */
            gridSecondaryId: string;
            dailyPromptLimit: number;
            monthlySpeechMinutes: number;
            maxConcurrentSessions: number;
            dailyPromptsUsed: number;
            monthlySpeechMinutesUsed: number;
            activeSessions: number;
        };
        Grids: {
            grids: components["schemas"]["Grid"][];
        };
        Health: {
            /** @enum {string} */
            overallStatus: "healthy" | "degraded" | "unknown";
            /** Format: date-time */
            timestamp: string;
            services: components["schemas"]["ServiceHealth"][];
            /** @enum {string} */
            recentStatus: "healthy" | "degraded" | "recovering" | "unknown";
        };
        Incident: {
            id: string;
            title: string;
            /** @enum {string} */
            status: "open" | "acknowledged" | "recovering" | "resolved" | "merged";
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            startedAt: string;
            endedAt: string | null;
            cause: components["schemas"]["IncidentCause"] | null;
            alerts: components["schemas"]["IncidentAlert"][];
            alertCount: number;
            firingCount: number;
            affectedServices: string[];
            acknowledgedBy?: string;
            /** Format: date-time */
            acknowledgedAt?: string;
            commander?: string;
            resolvedBy?: string;
            resolution?: string;
            reopenedCount: number;
            noteCount: number;
            mergedInto?: string;
            timelineCount: number;
            timeline: components["schemas"]["IncidentEntry"][];
        };
        IncidentAlert: {
            alertId: string;
            ruleName: string;
            serviceName: string;
            labels?: {
                [key: string]: string;
            };
            condition: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            value: number;
            /** Format: date-time */
            firedAt: string;
            /** Format: date-time */
            resolvedAt?: string;
            acknowledgedBy?: string;
        };
        IncidentCause: {
            cause: string;
            /** @enum {string} */
            kind: "latency" | "errors" | "network" | "saturation" | "deployment" | "traffic" | "dependency" | "inconclusive";
            serviceName: string;
            confidence: number;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            affectedServices: string[];
            evidence: string[];
            /** Format: date-time */
            firstDetected: string;
            impactedTraceCount: number;
            sampleTraceIds: string[];
        };
        IncidentCommanderModel: {
            userId: string;
        };
        IncidentDetail: {
            id: string;
            title: string;
            /** @enum {string} */
            status: "open" | "acknowledged" | "recovering" | "resolved" | "merged";
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            startedAt: string;
            endedAt: string | null;
            cause: components["schemas"]["IncidentCause"] | null;
            alerts: components["schemas"]["IncidentAlert"][];
            alertCount: number;
            firingCount: number;
            affectedServices: string[];
            acknowledgedBy?: string;
            /** Format: date-time */
            acknowledgedAt?: string;
            commander?: string;
            resolvedBy?: string;
            resolution?: string;
            reopenedCount: number;
            noteCount: number;
            mergedInto?: string;
            timelineCount: number;
            timeline: components["schemas"]["IncidentEntry"][];
            changes: components["schemas"]["Change"][];
            similar: components["schemas"]["SimilarIncident"][];
        };
        IncidentEntry: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            type: "opened" | "alert-added" | "alert-moved" | "alert-changed" | "cause-changed" | "recovering" | "reopened" | "resolved" | "acknowledged" | "commander-assigned" | "noted" | "merged" | "merged-into";
            description: string;
            by?: string;
        };
        IncidentMergeModel: {
            incidentId: string;
        };
        IncidentNoteModel: {
            text: string;
        };
        IncidentReceipt: {
            incidentId: string;
        };
        IncidentResolutionModel: {
            /** @default  */
            note: string | null;
        };
        IncidentSplitModel: {
            alertIds: string[];
        };
        Incidents: {
            incidents: components["schemas"]["Incident"][];
            totalCount: number;
            page: number;
            pageSize: number;
        };
        Indicator: {
            /** @enum {string} */
            type: "availability" | "latency" | "query";
            serviceName?: string;
            operation?: string;
            thresholdMs?: number;
            /** @enum {string} */
            signal?: "spans" | "logs";
            good?: string;
            all?: string;
        };
        IssuedApiKey: {
            keyId: string;
            name: string;
            /** @enum {string} */
            kind: "send" | "read" | "full";
            apiKey: string;
            /** Format: date-time */
            createdAt: string;
        };
        LastRefused: {
            /** @enum {string} */
            signal?: "traces" | "logs" | "metrics";
            /** Format: date-time */
            at: string;
            reason: string;
        };
        LastSent: {
            /** @enum {string} */
            signal: "traces" | "logs" | "metrics";
            /** Format: date-time */
            at: string;
            accepted: number;
            rejected: number;
            message: string;
        };
        LimitsModel: {
            dailyPromptLimit?: number | null;
            monthlySpeechMinutes?: number | null;
            maxConcurrentSessions?: number | null;
            readonly gridSecondaryId?: unknown;
            readonly dailyPromptsUsed?: unknown;
            readonly monthlySpeechMinutesUsed?: unknown;
            readonly activeSessions?: unknown;
            readonly updatedAt?: unknown;
            readonly updatedBy?: unknown;
        };
        ListedChart: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @enum {string} */
            chartType: "line" | "bar" | "area" | "value" | "top_list" | "table" | "heatmap";
            serviceName: string;
            metric: string;
            unit: string;
            query?: components["schemas"]["ChartQuery"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            builtIn: boolean;
        };
        ListedDashboard: {
            /** Format: uuid */
            id: string;
            title: string;
            description: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            charts: components["schemas"]["PlacedChart"][];
            variables?: string[];
            builtIn: boolean;
        };
        Live: {
            /** @constant */
            live: true;
        };
        LiveAlerts: {
            alerts: components["schemas"]["Alert"][];
            ageMs: number;
        };
        LiveChanges: {
            changes: components["schemas"]["Change"][];
            ageMs: number;
        };
        LiveDiagnoses: {
            diagnoses: components["schemas"]["Diagnosis"][];
            ageMs: number;
        };
        LiveHealth: {
            /** @enum {string} */
            overallStatus: "healthy" | "degraded" | "unknown";
            /** Format: date-time */
            timestamp: string;
            services: components["schemas"]["ServiceHealth"][];
            /** @enum {string} */
            recentStatus: "healthy" | "degraded" | "recovering" | "unknown";
            ageMs: number;
        };
        LivePressurePoints: {
            pressurePoints: components["schemas"]["PressurePoint"][];
            ageMs: number;
        };
        LiveServiceMap: {
            services: components["schemas"]["MappedService"][];
            edges: components["schemas"]["ServiceEdge"][];
            ageMs: number;
        };
        LiveSlowEndpoints: {
            endpoints: components["schemas"]["SlowEndpoint"][];
            ageMs: number;
        };
        LiveTimeline: {
            events: components["schemas"]["TimelineEvent"][];
            ageMs: number;
        };
        LiveTrends: {
            latency: {
                /** @enum {string} */
                trend: "increasing" | "decreasing" | "stable";
                changePercent: number;
                current: {
                    p50: number;
                    p95: number;
                    p99: number;
                };
                baseline: {
                    p50: number;
                    p95: number;
                    p99: number;
                };
            };
            errorRate: {
                /** @enum {string} */
                trend: "increasing" | "decreasing" | "stable";
                changePercent: number;
                current: number;
                baseline: number;
            };
            throughput: {
                /** @enum {string} */
                trend: "increasing" | "decreasing" | "stable";
                changePercent: number;
                currentRps: number;
                baselineRps: number;
            };
            ageMs: number;
        };
        LogDetail: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            severityLevel: "Trace" | "Debug" | "Information" | "Warning" | "Error" | "Fatal";
            severityNumber: number;
            body: string;
            serviceName: string;
            traceId: string;
            spanId: string;
            attributes: {
                [key: string]: string | number;
            };
            resource: {
                [key: string]: string | number;
            };
            scope: {
                name: string;
                version: string;
                attributes: {
                    [key: string]: string | number;
                };
            };
            eventName: string;
            severityText: string;
            timeUnixNano: string;
            observedTime: string | null;
            flags: number;
            droppedAttributesCount: number;
            /** @constant */
            damaged?: true;
        };
        LogEntry: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            severityLevel: "Trace" | "Debug" | "Information" | "Warning" | "Error" | "Fatal";
            body: string;
            serviceName: string;
            traceId: string;
            spanId: string;
            attributes: {
                [key: string]: string | number;
            };
            /** @constant */
            damaged?: true;
        };
        LogFilterOptions: {
            severityLevels: ("Trace" | "Debug" | "Information" | "Warning" | "Error" | "Fatal")[];
            serviceNames: string[];
            attributeKeys: string[];
        };
        LogListFilterModel: {
            /** Format: date-time */
            rangeStart: string;
            /** Format: date-time */
            rangeEnd: string;
            /** @default 1 */
            page: number | null;
            /** @default 20 */
            pageSize: number | null;
            /** @enum {string|null} */
            severityLevel?: "Trace" | "Debug" | "Information" | "Warning" | "Error" | "Fatal" | null;
            serviceName?: string | null;
            body?: string | null;
            traceId?: string | null;
            spanId?: string | null;
            attributes?: {
                [key: string]: string | number | boolean;
            } | null;
        };
        LogPage: {
            items: components["schemas"]["LogEntry"][];
            totalCount: number;
            page: number;
            pageSize: number;
            damagedRecords?: number;
        };
        MappedService: {
            name: string;
            type: string;
            requestCount: number;
            errorRate: number;
            /** @enum {string} */
            status: "healthy" | "degraded";
            /** @enum {string} */
            recentStatus: "healthy" | "degraded" | "recovering" | "unknown";
            causeOf?: components["schemas"]["CauseReference"];
        };
        Member: {
            userId: string;
            /** @enum {string} */
            role: "Guest" | "User" | "Member" | "Owner";
            /** Format: date-time */
            addedAt: string;
            addedBy: string;
        };
        MemberRoleModel: {
            /** @enum {string} */
            role: "Guest" | "User" | "Member" | "Owner";
            readonly userId?: unknown;
            readonly addedAt?: unknown;
            readonly addedBy?: unknown;
        };
        Members: {
            members: components["schemas"]["Member"][];
        };
        Metric: {
            name: string;
            unit: string;
            /** @enum {string} */
            type: "gauge" | "sum" | "histogram" | "exponential_histogram" | "summary";
            monotonic?: boolean;
            services: string[];
            attributeKeys: string[];
            seriesCount: number;
        };
        MetricCatalog: {
            metrics: components["schemas"]["Metric"][];
            seriesCount: number;
            seriesLimit: number;
            overflow?: {
                /** Format: date-time */
                firstAt: string;
                /** Format: date-time */
                lastAt: string;
            };
        };
        MissedAlert: {
            id: string;
            ruleName: string;
            serviceName: string;
            condition: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            /** Format: date-time */
            firedAt: string;
            resolvedAt: string | null;
        };
        NewApiKeyModel: {
            name: string;
            /**
             * @default full
             * @enum {string|null}
             */
            kind: "send" | "read" | "full" | null;
        };
        NewGridModel: {
            name: string;
        };
        NotificationRoute: {
            id: string;
            name: string;
            matchers: {
                label: string;
                /** @enum {string} */
                operator: "=" | "!=";
                value: string;
            }[];
            channelIds: string[];
            groupBy: string[];
            groupWaitSeconds: number;
            groupIntervalSeconds: number;
            repeatIntervalSeconds: number;
            sendResolved: boolean;
            escalateAfterMinutes: number;
            escalateTo: string[];
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
        };
        NotificationRouteModel: {
            name: string;
            /** @default [] */
            matchers: {
                label: string;
                /** @enum {string} */
                operator: "=" | "!=";
                value: string;
            }[] | null;
            channelIds: string[];
            /** @default [] */
            groupBy: string[] | null;
            /** @default 30 */
            groupWaitSeconds: number | null;
            /** @default 300 */
            groupIntervalSeconds: number | null;
            /** @default 14400 */
            repeatIntervalSeconds: number | null;
            /** @default true */
            sendResolved: boolean | null;
            /** @default 0 */
            escalateAfterMinutes: number | null;
            /** @default [] */
            escalateTo: string[] | null;
            /** @default true */
            enabled: boolean | null;
            readonly id?: unknown;
            readonly createdAt?: unknown;
            readonly createdBy?: unknown;
        };
        NotificationRoutes: {
            routes: components["schemas"]["NotificationRoute"][];
        };
        OwnUsage: {
            grids: components["schemas"]["UsageInGrid"][];
        };
        PathFigures: {
            count: number;
            errorCount: number;
            durationNs: number;
            selfTimeNs: number;
        };
        PlacedChart: {
            /** Format: uuid */
            chartId: string;
            title: string;
            /** @enum {string} */
            chartType: "line" | "bar" | "area" | "value" | "top_list" | "table" | "heatmap";
            position: {
                row: number;
                col: number;
                width: number;
                height: number;
            };
        };
        PlacedChartModel: {
            chartId: string;
            position: {
                row: number;
                col: number;
                width: number;
                height: number;
            };
            readonly title?: unknown;
            readonly chartType?: unknown;
        };
        PressurePoint: {
            type: string;
            serviceName: string;
            resource: string;
            utilization: number;
            capacity: number;
            queueDepth: number;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            /** Format: date-time */
            detectedAt: string;
        };
        PressurePoints: {
            pressurePoints: components["schemas"]["PressurePoint"][];
        };
        Problem: {
            /** Format: uri */
            type: string;
            title: string;
            status: number;
            detail: string;
            instance?: string;
            errors?: components["schemas"]["FieldFault"][];
        };
        QueryAnswer: {
            columns: components["schemas"]["QueryColumn"][];
            rows?: (string | number | Record<string, never> | unknown[] | null)[][];
            totalRows?: number;
            series?: components["schemas"]["QuerySeries"][];
            totalSeries?: number;
            /** @constant */
            exact: true;
            groupsFolded?: boolean;
            estimates?: components["schemas"]["QueryEstimate"][];
            damagedRecords?: number;
        };
        QueryColumn: {
            name: string;
            /** @enum {string} */
            type: "string" | "number" | "time" | "object";
            unit: string;
        };
        QueryEstimate: {
            column: string;
            relativeError: number;
        };
        QueryFunction: {
            /** @enum {string} */
            fn: "count" | "rate" | "errorRate" | "sum" | "avg" | "min" | "max" | "p50" | "p75" | "p90" | "p95" | "p99" | "countDistinct";
            field?: string;
            as?: string;
        };
        QueryOrder: {
            by: string;
            descending?: boolean;
        };
        QueryRequestModel: {
            /** @enum {string} */
            signal: "spans" | "logs" | "metrics";
            where?: string | null;
            groupBy?: string[] | null;
            select?: components["schemas"]["QueryFunction"][] | null;
            stepSeconds?: number | null;
            orderBy?: components["schemas"]["QueryOrder"][] | null;
            limit?: number | null;
            /** Format: date-time */
            rangeStart?: string | null;
            /** Format: date-time */
            rangeEnd?: string | null;
            /** Format: date-time */
            asOf?: string | null;
        };
        QuerySeries: {
            group: (string | number | Record<string, never> | unknown[] | null)[];
            points: (string | number | Record<string, never> | unknown[] | null)[][];
        };
        Readiness: {
            ready: boolean;
            checks: {
                [key: string]: {
                    ok: boolean;
                    reason?: string;
                    degraded?: string;
                };
            };
        };
        Regression: {
            serviceName: string;
            metric: string;
            baselineValue: number;
            currentValue: number;
            changePercent: number;
        };
        SavedIndicator: {
            /** @enum {string} */
            type: "availability" | "latency" | "query";
            serviceName?: string;
            operation?: string;
            thresholdMs?: number;
            /** @enum {string} */
            signal?: "spans" | "logs";
            good?: string;
            all?: string;
        };
        SavedSlo: {
            /** Format: uuid */
            id: string;
            name: string;
            indicator: components["schemas"]["SavedIndicator"];
            objective: number;
            windowDays: number;
            calendar: boolean;
            alerts: boolean;
            excludesMaintenance: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SavedSloList: {
            slos: components["schemas"]["SavedSlo"][];
        };
        SavedView: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string;
            /** @enum {string} */
            signal: "spans" | "logs" | "metrics";
            where: string;
            groupBy: string[];
            select: {
                /** @enum {string} */
                fn: "count" | "rate" | "errorRate" | "sum" | "avg" | "min" | "max" | "p50" | "p75" | "p90" | "p95" | "p99" | "countDistinct";
                field?: string;
                as?: string;
            }[];
            stepSeconds?: number;
            orderBy: {
                by: string;
                descending: boolean;
            }[];
            limit?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SavedViewList: {
            views: components["schemas"]["SavedView"][];
        };
        ServiceDetail: {
            serviceName: string;
            /** @enum {string} */
            status: "healthy" | "degraded";
            apdex: number;
            errorRate: number;
            requestCount: number;
            p50LatencyMs: number;
            endpoints: components["schemas"]["Endpoint"][];
            topErrors: components["schemas"]["TopError"][];
            dependencies: components["schemas"]["Dependency"][];
            /** @enum {string} */
            recentStatus: "healthy" | "degraded" | "recovering" | "unknown";
            causeOf?: components["schemas"]["CauseReference"];
        };
        ServiceEdge: {
            source: string;
            target: string;
            requestCount: number;
            errorRate: number;
            avgLatencyMs: number;
        };
        ServiceHealth: {
            serviceName: string;
            /** @enum {string} */
            status: "healthy" | "degraded";
            errorRate: number;
            apdex: number;
            requestCount: number;
            avgLatencyMs: number;
            /** @enum {string} */
            recentStatus: "healthy" | "degraded" | "recovering" | "unknown";
            causeOf?: components["schemas"]["CauseReference"];
        };
        ServiceMap: {
            services: components["schemas"]["MappedService"][];
            edges: components["schemas"]["ServiceEdge"][];
        };
        Silence: {
            id: string;
            matchers: {
                label: string;
                /** @enum {string} */
                operator: "=" | "!=";
                value: string;
            }[];
            reason: string;
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
        };
        SilenceModel: {
            matchers: {
                label: string;
                /** @enum {string} */
                operator: "=" | "!=";
                value: string;
            }[];
            reason: string;
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            endsAt: string;
            readonly id?: unknown;
            readonly createdAt?: unknown;
            readonly createdBy?: unknown;
        };
        Silences: {
            silences: components["schemas"]["Silence"][];
        };
        SimilarIncident: {
            id: string;
            title: string;
            /** @enum {string} */
            similarity: "same cause" | "same evidence";
            /** @enum {string} */
            status: "open" | "acknowledged" | "recovering" | "resolved" | "merged";
            /** Format: date-time */
            startedAt: string;
            endedAt: string | null;
            resolvedBy?: string;
            resolution?: string;
        };
        SloAssessment: {
            /** Format: uuid */
            id: string;
            name: string;
            indicator: components["schemas"]["SavedIndicator"];
            objective: number;
            windowDays: number;
            calendar: boolean;
            alerts: boolean;
            excludesMaintenance: boolean;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            coveredFrom: string | null;
            good: number;
            total: number;
            excluded: number;
            sli: number | null;
            errorBudget: components["schemas"]["ErrorBudget"];
            burnRates: components["schemas"]["BurnRates"];
            /** @enum {string} */
            status: "no-data" | "met" | "burning" | "exhausted";
            alert: {
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
                condition: string;
                burnRate: number;
            } | null;
        };
        SloAssessmentList: {
            slos: components["schemas"]["SloAssessment"][];
            uncounted: components["schemas"]["UncountedSlo"][];
        };
        SloBacktest: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            coveredFrom: string | null;
            good: number;
            total: number;
            sli: number | null;
            proposed: number | null;
            backtests: {
                objective: number;
                isMet: boolean;
                pages: number;
                tickets: number;
                summary: string;
                firings: {
                    /** @enum {string} */
                    severity: "info" | "warning" | "critical";
                    /** Format: date-time */
                    firedAt: string;
                    resolvedAt: string | null;
                    peakBurnRate: number;
                }[];
            }[];
        };
        SloBacktestModel: {
            indicator: components["schemas"]["Indicator"];
            objective?: number | null;
            /** @default 28 */
            days: number | null;
            /**
             * @default 28
             * @enum {integer|null}
             */
            windowDays: 7 | 28 | 30 | null;
            /** @default false */
            excludesMaintenance: boolean | null;
        };
        SloDetail: {
            /** Format: uuid */
            id: string;
            name: string;
            indicator: components["schemas"]["SavedIndicator"];
            objective: number;
            windowDays: number;
            calendar: boolean;
            alerts: boolean;
            excludesMaintenance: boolean;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            coveredFrom: string | null;
            good: number;
            total: number;
            excluded: number;
            sli: number | null;
            errorBudget: components["schemas"]["ErrorBudget"];
            burnRates: components["schemas"]["BurnRates"];
            /** @enum {string} */
            status: "no-data" | "met" | "burning" | "exhausted";
            alert: {
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
                condition: string;
                burnRate: number;
            } | null;
            hours: {
                /** Format: date-time */
                time: string;
                good: number;
                total: number;
                remainingPercent: number;
            }[];
        };
        SloModel: {
            name: string;
            indicator: components["schemas"]["Indicator"];
            objective: number;
            /**
             * @default 28
             * @enum {integer|null}
             */
            windowDays: 7 | 28 | 30 | null;
            /** @default false */
            calendar: boolean | null;
            /** @default true */
            alerts: boolean | null;
            /** @default false */
            excludesMaintenance: boolean | null;
            readonly id?: unknown;
            readonly createdAt?: unknown;
            readonly updatedAt?: unknown;
        };
        SloProposal: {
            indicator: components["schemas"]["SavedIndicator"];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            coveredFrom: string | null;
            good: number;
            total: number;
            sli: number | null;
            proposed: number | null;
            backtests: {
                objective: number;
                isMet: boolean;
                pages: number;
                tickets: number;
                summary: string;
                firings: {
                    /** @enum {string} */
                    severity: "info" | "warning" | "critical";
                    /** Format: date-time */
                    firedAt: string;
                    resolvedAt: string | null;
                    peakBurnRate: number;
                }[];
            }[];
        };
        SloProposalList: {
            proposals: components["schemas"]["SloProposal"][];
        };
        SloReport: {
            /** Format: uuid */
            id: string;
            name: string;
            indicator: components["schemas"]["SavedIndicator"];
            objective: number;
            windowDays: number;
            calendar: boolean;
            alerts: boolean;
            excludesMaintenance: boolean;
            month: string;
            zone: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            isOver: boolean;
            coveredFrom: string | null;
            good: number;
            total: number;
            excluded: number;
            sli: number | null;
            isMet: boolean;
            errorBudget: components["schemas"]["ErrorBudget"];
            worstDays: {
                day: string;
                good: number;
                total: number;
            }[];
            alertHistory: {
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
                condition: string;
                /** Format: date-time */
                firedAt: string;
                resolvedAt: string | null;
            }[];
            incidents: {
                id: string;
                title: string;
                /** @enum {string} */
                status: "open" | "acknowledged" | "recovering" | "resolved";
                /** Format: date-time */
                startedAt: string;
                endedAt: string | null;
            }[];
            markdown: string;
        };
        SlowEndpoint: {
            rank: number;
            serviceName: string;
            operation: string;
            avgLatencyMs: number;
            p95LatencyMs: number;
            p99LatencyMs: number;
            requestCount: number;
            errorRate: number;
        };
        SlowEndpoints: {
            endpoints: components["schemas"]["SlowEndpoint"][];
        };
        Source: {
            type: string;
            description: string;
            confidence?: number;
            traceCount?: number;
        };
        SpanDetail: {
            traceId: string;
            spanId: string;
            parentSpanId: string | null;
            serviceName: string;
            operationName: string;
            /** @enum {string} */
            spanKind: "INTERNAL" | "SERVER" | "CLIENT" | "PRODUCER" | "CONSUMER";
            /** @enum {string} */
            status: "OK" | "ERROR";
            /** @enum {string} */
            statusCode: "UNSET" | "OK" | "ERROR";
            statusMessage: string;
            /** Format: date-time */
            startTime: string;
            /** Format: date-time */
            endTime: string;
            duration: number;
            durationNs: number;
            startTimeUnixNano: string;
            endTimeUnixNano: string;
            traceState: string;
            flags: number;
            scope: {
                name: string;
                version: string;
                attributes: {
                    [key: string]: string | number;
                };
            };
            attributes: {
                [key: string]: string | number;
            };
            links: components["schemas"]["SpanLink"][];
            droppedAttributesCount: number;
            droppedEventsCount: number;
            droppedLinksCount: number;
            /** @constant */
            damaged?: true;
        };
        SpanEvent: {
            name: string;
            /** Format: date-time */
            timestamp: string;
            timeUnixNano: string;
            attributes: {
                [key: string]: string | number;
            };
            droppedAttributesCount: number;
        };
        SpanEvents: {
            spanId: string;
            events: components["schemas"]["SpanEvent"][];
            /** @constant */
            damaged?: true;
        };
        SpanInTrace: {
            spanId: string;
            parentSpanId: string | null;
            serviceName: string;
            operationName: string;
            /** @enum {string} */
            spanKind: "INTERNAL" | "SERVER" | "CLIENT" | "PRODUCER" | "CONSUMER";
            /** @enum {string} */
            status: "OK" | "ERROR";
            /** Format: date-time */
            startTime: string;
            duration: number;
            durationNs: number;
            startTimeUnixNano: string;
            endTimeUnixNano: string;
        };
        SpanLink: {
            traceId: string;
            spanId: string;
            traceState: string;
            flags: number;
            attributes: {
                [key: string]: string | number;
            };
            droppedAttributesCount: number;
        };
        SpanTags: {
            spanId: string;
            tags: {
                [key: string]: string | number;
            };
            /** @constant */
            damaged?: true;
        };
        SynthesisModel: {
            text: string;
            /** @default hindsight */
            voice: string | null;
            /** @default 1 */
            speed: number | null;
        };
        Timeline: {
            events: components["schemas"]["TimelineEvent"][];
        };
        TimelineEvent: {
            /** Format: date-time */
            timestamp: string;
            type: string;
            description: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            serviceName: string;
        };
        TopError: {
            exceptionType: string;
            message: string;
            count: number;
            percentage: number;
        };
        TraceComparison: {
            current: components["schemas"]["ComparedTrace"];
            baseline: components["schemas"]["ComparedTrace"];
            paths: components["schemas"]["ComparedPath"][];
            errors: components["schemas"]["ComparedErrors"][];
            damagedRecords?: number;
        };
        TraceError: {
            /** Format: date-time */
            timestamp: string;
            spanId: string;
            serviceName: string;
            exceptionType: string;
            message: string;
            stackTrace: string;
            attributes: {
                [key: string]: string | number;
            };
        };
        TraceErrors: {
            traceId: string;
            errors: components["schemas"]["TraceError"][];
            damagedRecords?: number;
        };
        TraceFilterOptions: {
            serviceNames: string[];
            operationNames: string[];
            statusValues: ("OK" | "ERROR")[];
            tagKeys: string[];
        };
        TraceListFilterModel: {
            /** Format: date-time */
            rangeStart: string;
            /** Format: date-time */
            rangeEnd: string;
            /** @default 1 */
            page: number | null;
            /** @default 20 */
            pageSize: number | null;
            serviceName?: string | null;
            operationName?: string | null;
            minDuration?: number | null;
            maxDuration?: number | null;
            /** @enum {string|null} */
            status?: "OK" | "ERROR" | null;
            tags?: {
                [key: string]: string | number | boolean;
            } | null;
        };
        TraceListItem: {
            traceId: string;
            spanId: string;
            serviceName: string;
            operationName: string;
            duration: number;
            /** @enum {string} */
            status: "OK" | "ERROR";
            /** Format: date-time */
            startTime: string;
            /** Format: date-time */
            endTime: string;
            durationNs: number;
            startTimeUnixNano: string;
            endTimeUnixNano: string;
            rootArrived: boolean;
        };
        TraceLog: {
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            severityLevel: "Trace" | "Debug" | "Information" | "Warning" | "Error" | "Fatal";
            body: string;
            serviceName: string;
            spanId: string;
            attributes: {
                [key: string]: string | number;
            };
            /** @constant */
            damaged?: true;
        };
        TraceLogs: {
            traceId: string;
            logs: components["schemas"]["TraceLog"][];
        };
        TracePage: {
            items: components["schemas"]["TraceListItem"][];
            totalCount: number;
            page: number;
            pageSize: number;
        };
        TraceSpans: {
            traceId: string;
            spans: components["schemas"]["SpanInTrace"][];
        };
        Transcript: {
            text: string;
            confidence: number;
            durationMs: number;
        };
        Trends: {
            latency: {
                /** @enum {string} */
                trend: "increasing" | "decreasing" | "stable";
                changePercent: number;
                current: {
                    p50: number;
                    p95: number;
                    p99: number;
                };
                baseline: {
                    p50: number;
                    p95: number;
                    p99: number;
                };
            };
            errorRate: {
                /** @enum {string} */
                trend: "increasing" | "decreasing" | "stable";
                changePercent: number;
                current: number;
                baseline: number;
            };
            throughput: {
                /** @enum {string} */
                trend: "increasing" | "decreasing" | "stable";
                changePercent: number;
                currentRps: number;
                baselineRps: number;
            };
        };
        UncountedSlo: {
            /** Format: uuid */
            id: string;
            name: string;
            indicator: components["schemas"]["SavedIndicator"];
            objective: number;
            windowDays: number;
            calendar: boolean;
            alerts: boolean;
            excludesMaintenance: boolean;
            failure: {
                code: string;
                message: string;
            };
        };
        UpdatedLimits: {
            /** Format: uuid */
            gridSecondaryId: string;
            dailyPromptLimit: number;
            monthlySpeechMinutes: number;
            maxConcurrentSessions: number;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: string;
        };
        UsageInGrid: {
            /** Format: uuid */
            gridSecondaryId: string;
            gridName: string;
            promptsUsedToday: number;
            promptLimitToday: number;
            enabled: boolean;
        };
        UsageOfDay: {
            /** Format: date */
            date: string;
            prompts: number;
            energy: number;
        };
        UsageStatus: {
            /** Format: uuid */
            gridSecondaryId: string;
            enabled: boolean;
            promptsUsedToday: number;
            promptLimitToday: number;
            lastUsedAt: string | null;
        };
        UsageSummary: {
            /** Format: uuid */
            gridSecondaryId: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            totalPrompts: number;
            totalEnergyConsumed: number;
            totalSpeechSyntheses: number;
            totalSpeechRecognitions: number;
            dailyBreakdown: components["schemas"]["UsageOfDay"][];
        };
        ViewModel: {
            /** @enum {string} */
            signal: "spans" | "logs" | "metrics";
            where?: string | null;
            groupBy?: string[] | null;
            select?: components["schemas"]["QueryFunction"][] | null;
            stepSeconds?: number | null;
            orderBy?: components["schemas"]["QueryOrder"][] | null;
            limit?: number | null;
            name: string;
            /** @default  */
            description: string | null;
            readonly id?: unknown;
            readonly createdAt?: unknown;
            readonly updatedAt?: unknown;
        };
        Voice: {
            name: string;
            description: string;
            language: string;
        };
        Voices: {
            voices: components["schemas"]["Voice"][];
        };
        WatchedQuery: {
            /** @enum {string} */
            signal: "spans" | "logs" | "metrics";
            where: string;
            groupBy: string[];
            select: {
                /** @enum {string} */
                fn: "count" | "rate" | "errorRate" | "sum" | "avg" | "min" | "max" | "p50" | "p75" | "p90" | "p95" | "p99" | "countDistinct";
                field?: string;
                as?: string;
            }[];
        };
        WindowFigures: {
            /** Format: date-time */
            rangeStart: string;
            /** Format: date-time */
            rangeEnd: string;
            avgLatencyMs: number;
            p95LatencyMs: number;
            errorRate: number;
            throughputRps: number;
            apdex: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    searchTraces: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TraceListFilterModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TracePage"];
                };
            };
        };
    };
    getSpanDetail: {
        parameters: {
            path: {
                gridSecondaryId: string;
                spanId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpanDetail"];
                };
            };
        };
    };
    getTraceFilters: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceFilterOptions"];
                };
            };
        };
    };
    getTraceSpans: {
        parameters: {
            path: {
                gridSecondaryId: string;
                traceId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceSpans"];
                };
            };
        };
    };
    getTraceLogs: {
        parameters: {
            path: {
                gridSecondaryId: string;
                traceId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceLogs"];
                };
            };
        };
    };
    getTraceErrors: {
        parameters: {
            path: {
                gridSecondaryId: string;
                traceId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceErrors"];
                };
            };
        };
    };
    getSpanTags: {
        parameters: {
            path: {
                gridSecondaryId: string;
                spanId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpanTags"];
                };
            };
        };
    };
    getSpanEvents: {
        parameters: {
            path: {
                gridSecondaryId: string;
                spanId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpanEvents"];
                };
            };
        };
    };
    compareTraces: {
        parameters: {
            query: {
                baselineTraceId: string;
            };
            path: {
                gridSecondaryId: string;
                traceId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceComparison"];
                };
            };
        };
    };
    searchLogs: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogListFilterModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPage"];
                };
            };
        };
    };
    getLogDetail: {
        parameters: {
            path: {
                gridSecondaryId: string;
                spanId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogDetail"];
                };
            };
        };
    };
    getLogFilters: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogFilterOptions"];
                };
            };
        };
    };
    runQuery: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryRequestModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryAnswer"];
                };
            };
        };
    };
    findDifferences: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DifferencesRequestModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Differences"];
                };
            };
        };
    };
    listErrorGroups: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
                serviceName?: string;
                status?: ("open" | "resolved" | "reopened")[];
                orderBy?: "count" | "lastSeen";
                page?: number;
                pageSize?: number;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorGroups"];
                };
            };
        };
    };
    getErrorGroup: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
                serviceName?: string;
            };
            path: {
                gridSecondaryId: string;
                groupId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorGroupDetail"];
                };
            };
        };
    };
    resolveErrorGroup: {
        parameters: {
            path: {
                gridSecondaryId: string;
                groupId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErrorResolutionModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorGroupReceipt"];
                };
            };
        };
    };
    reopenErrorGroup: {
        parameters: {
            path: {
                gridSecondaryId: string;
                groupId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorGroupReceipt"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alerts"];
                };
            };
        };
    };
    listDiagnoses: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diagnoses"];
                };
            };
        };
    };
    listPressurePoints: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PressurePoints"];
                };
            };
        };
    };
    getTrends: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trends"];
                };
            };
        };
    };
    getServiceMap: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceMap"];
                };
            };
        };
    };
    getTimeline: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    listSlowestEndpoints: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlowEndpoints"];
                };
            };
        };
    };
    listChanges: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                };
            };
        };
    };
    getServiceDetail: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
            };
            path: {
                gridSecondaryId: string;
                serviceName: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceDetail"];
                };
            };
        };
    };
    compareWindows: {
        parameters: {
            query: {
                currentStart: string;
                currentEnd: string;
                baselineStart: string;
                baselineEnd: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
        };
    };
    streamDiagnostics: {
        parameters: {
            query?: {
                topics?: ("health" | "alerts" | "diagnosis" | "pressure" | "trends" | "services" | "timeline" | "slowest-endpoints" | "changes")[];
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
                status?: ("open" | "acknowledged" | "recovering" | "resolved")[];
                page?: number;
                pageSize?: number;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incidents"];
                };
            };
        };
    };
    getIncident: {
        parameters: {
            query?: {
                asOf?: string;
            };
            path: {
                gridSecondaryId: string;
                incidentId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentDetail"];
                };
            };
        };
    };
    acknowledgeIncident: {
        parameters: {
            path: {
                gridSecondaryId: string;
                incidentId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentReceipt"];
                };
            };
        };
    };
    resolveIncident: {
        parameters: {
            path: {
                gridSecondaryId: string;
                incidentId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentResolutionModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentReceipt"];
                };
            };
        };
    };
    assignIncidentCommander: {
        parameters: {
            path: {
                gridSecondaryId: string;
                incidentId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentCommanderModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentReceipt"];
                };
            };
        };
    };
    addIncidentNote: {
        parameters: {
            path: {
                gridSecondaryId: string;
                incidentId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentNoteModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentReceipt"];
                };
            };
        };
    };
    mergeIncident: {
        parameters: {
            path: {
                gridSecondaryId: string;
                incidentId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentMergeModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentReceipt"];
                };
            };
        };
    };
    splitIncident: {
        parameters: {
            path: {
                gridSecondaryId: string;
                incidentId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentSplitModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentReceipt"];
                };
            };
        };
    };
    listCharts: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartList"];
                };
            };
        };
    };
    getChart: {
        parameters: {
            path: {
                gridSecondaryId: string;
                chartSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chart"];
                };
            };
        };
    };
    renderChart: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
                filter?: string;
                width?: number;
                height?: number;
                theme?: "dark" | "light";
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                chartId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
        };
    };
    getChartRangeData: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
                filter?: string;
                exemplars?: "true" | "false";
                stepSeconds?: "true" | "false";
            };
            path: {
                gridSecondaryId: string;
                chartId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartRangeData"];
                };
            };
        };
    };
    listDashboards: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardList"];
                };
            };
        };
    };
    getDashboard: {
        parameters: {
            path: {
                gridSecondaryId: string;
                dashboardSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
        };
    };
    renderDashboard: {
        parameters: {
            query?: {
                asOf?: string;
                rangeStart?: string;
                rangeEnd?: string;
                filter?: string;
                width?: number;
                theme?: "dark" | "light";
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                dashboardId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
        };
    };
    listMetrics: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricCatalog"];
                };
            };
        };
    };
    listAlertRules: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRules"];
                };
            };
        };
    };
    createAlertRule: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRuleModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    getAlertRule: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                ruleId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    replaceAlertRule: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                ruleId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRuleModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    deleteAlertRule: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                ruleId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    backtestAlertRule: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BacktestModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backtest"];
                };
            };
        };
    };
    listChannels: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channels"];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    getChannel: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                channelId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    replaceChannel: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                channelId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                channelId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    testChannel: {
        parameters: {
            path: {
                gridSecondaryId: string;
                channelId: string;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            path: {
                gridSecondaryId: string;
                channelId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliveries"];
                };
            };
        };
    };
    listNotificationRoutes: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRoutes"];
                };
            };
        };
    };
    createNotificationRoute: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRouteModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRoute"];
                };
            };
        };
    };
    getNotificationRoute: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                routeId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRoute"];
                };
            };
        };
    };
    replaceNotificationRoute: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                routeId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRouteModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRoute"];
                };
            };
        };
    };
    deleteNotificationRoute: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                routeId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    listSilences: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silences"];
                };
            };
        };
    };
    createSilence: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SilenceModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
        };
    };
    getSilence: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                silenceId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
        };
    };
    replaceSilence: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                silenceId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SilenceModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
        };
    };
    deleteSilence: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                silenceId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    acknowledgeAlert: {
        parameters: {
            path: {
                gridSecondaryId: string;
                alertId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Acknowledgement"];
                };
            };
        };
    };
    listChartDefinitions: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartDefinitionList"];
                };
            };
        };
    };
    createChart: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChartModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartDefinition"];
                };
            };
        };
    };
    getChartDefinition: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                chartId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartDefinition"];
                };
            };
        };
    };
    replaceChart: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                chartId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChartModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartDefinition"];
                };
            };
        };
    };
    deleteChart: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                chartId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    listDashboardDefinitions: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardDefinitionList"];
                };
            };
        };
    };
    createDashboard: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DashboardModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
        };
    };
    getDashboardDefinition: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                dashboardId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
        };
    };
    replaceDashboard: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                dashboardId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DashboardModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
        };
    };
    deleteDashboard: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                dashboardId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    assessSlos: {
        parameters: {
            query?: {
                asOf?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SloAssessmentList"];
                };
            };
        };
    };
    getSloDetail: {
        parameters: {
            query?: {
                asOf?: string;
            };
            path: {
                gridSecondaryId: string;
                sloId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SloDetail"];
                };
            };
        };
    };
    proposeSlos: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SloProposalList"];
                };
            };
        };
    };
    listSlos: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSloList"];
                };
            };
        };
    };
    createSlo: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SloModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSlo"];
                };
            };
        };
    };
    getSlo: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                sloId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSlo"];
                };
            };
        };
    };
    replaceSlo: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                sloId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SloModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSlo"];
                };
            };
        };
    };
    deleteSlo: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                sloId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    backtestSlo: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SloBacktestModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SloBacktest"];
                };
            };
        };
    };
    getSloReport: {
        parameters: {
            query: {
                month: string;
                zone?: string;
                asOf?: string;
            };
            path: {
                gridSecondaryId: string;
                sloId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SloReport"];
                };
            };
        };
    };
    renderSloReport: {
        parameters: {
            query: {
                month: string;
                zone?: string;
                asOf?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                sloId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
        };
    };
    listViews: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewList"];
                };
            };
        };
    };
    createView: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    getView: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                viewId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    replaceView: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                viewId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    deleteView: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
                viewId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    chat: {
        parameters: {
            path: {
                instanceSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatReply"];
                };
            };
        };
    };
    listVoices: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Voices"];
                };
            };
        };
    };
    synthesizeSpeech: {
        parameters: {
            path: {
                instanceSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SynthesisModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": unknown;
                };
            };
        };
    };
    recognizeSpeech: {
        parameters: {
            path: {
                instanceSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    audio: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
        };
    };
    getEnergy: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Energy"];
                };
            };
        };
    };
    getUsageStatus: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageStatus"];
                };
            };
        };
    };
    getUsageSummary: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSummary"];
                };
            };
        };
    };
    getOwnUsage: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnUsage"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridLimits"];
                };
            };
        };
    };
    updateLimits: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitsModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedLimits"];
                };
            };
        };
    };
    listGrids: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grids"];
                };
            };
        };
    };
    createGrid: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGridModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grid"];
                };
            };
        };
    };
    getGrid: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grid"];
                };
            };
        };
    };
    changeGrid: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GridChangesModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grid"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Members"];
                };
            };
        };
    };
    setMember: {
        parameters: {
            path: {
                gridSecondaryId: string;
                userId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberRoleModel"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            path: {
                gridSecondaryId: string;
                userId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeys"];
                };
            };
        };
    };
    issueApiKey: {
        parameters: {
            path: {
                gridSecondaryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKeyModel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
        };
    };
    regenerateApiKey: {
        parameters: {
            path: {
                gridSecondaryId: string;
                keyId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            path: {
                gridSecondaryId: string;
                keyId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    readAudit: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            path: {
                gridSecondaryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
        };
    };
}
