"""Integrations of agent frameworks. Each module needs its framework, and `tuckaway` itself imports none of
them.

========================================  ==================================================================
module                                    one line
========================================  ==================================================================
`tuckaway.integrations.langchain`         ``create_agent(model, tools, middleware=[TuckawayMiddleware(t)])``
`tuckaway.integrations.pydantic_ai`       ``Agent(model, capabilities=[TuckawayCapability(t)])``
`tuckaway.integrations.strands`           ``Agent(tools=tools, plugins=[TuckawayPlugin(t)])``
`tuckaway.integrations.openai_agents`     ``agent = with_tuckaway(agent, t)``
`tuckaway.integrations.fastmcp`           ``server.add_middleware(TuckawayMiddleware(t))``
`tuckaway.integrations.openai`            ``messages += run_chat_tool_calls(t, completion, handlers)``
`tuckaway.integrations.anthropic`         ``results = run_tool_calls(t, message, handlers)``
========================================  ==================================================================

``t`` is a `tuckaway.Tuckaway` or a `tuckaway.AsyncTuckaway`. In an asynchronous framework, a
`tuckaway.Tuckaway` runs in a thread, so that it never blocks the event loop.
"""
